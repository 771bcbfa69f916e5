"""How a queue manager runs in containers and is reached there, as manifests and charts say."""

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
    *(
        "storage.shared.class",
        "replication.tls",
        "passwords",
        "certificates",
        "group.role",
        "group.name",
    ),
    *("memory.limit", "log.type"),
)
"""What a manifest can be asked; what it leaves out is absent."""

ROUTE_KEYS = ("host", "channel", "sni", "termination")
"""What a route of OpenShift can be asked."""
