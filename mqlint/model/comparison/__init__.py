"""Two descriptions of queue managers compared: objects, attributes, stanzas, defaults."""
