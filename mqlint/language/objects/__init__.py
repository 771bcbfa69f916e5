"""Commands of MQSC that JSON, YAML and other formats keep as objects of keys and values.

A reader finds the objects. Here each becomes the MQSC command that does the same, with a map from
its characters to those of the file.
"""
