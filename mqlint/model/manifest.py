"""How a queue manager is to run in containers, as manifests and values of charts say."""

from __future__ import annotations

MANIFEST_KEYS = (
    *("kind", "availability", "replicas", "storage.type", "storage.class", "storage.size"),
    *(
        "version",
        "image",
        "image.tag",
        "license.id",
        "license.use",
        "license.fits",
        "metrics",
        "dev",
    ),
    *("replication.tls", "passwords", "certificates", "group.role", "group.name"),
    *("memory.limit", "log.type"),
)
"""What a manifest can be asked; what it leaves out is absent."""
