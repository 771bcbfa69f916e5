"""Commands of MQ that a text hides, or that are not followed."""
