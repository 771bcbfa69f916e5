"""How applications connect, and the channels, queues and topics that they use."""
