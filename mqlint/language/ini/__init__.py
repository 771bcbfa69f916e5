"""Stanza files: qm.ini, mqs.ini, mqclient.ini and their relatives."""
