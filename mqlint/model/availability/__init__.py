"""High availability and disaster recovery: groups, replication, floating addresses."""
