"""`mqlint estate`: scans of whole estates, and what they left."""
