"""Variables that files set for a site, a host, a job or a play, for MQSC that all of them share."""
