"""Kubernetes resources and Helm values that say how a queue manager runs."""
