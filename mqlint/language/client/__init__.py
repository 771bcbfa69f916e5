"""Settings of client applications, and client channel definition tables."""
