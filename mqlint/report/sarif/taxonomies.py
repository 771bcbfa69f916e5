"""Controls of standards as taxonomies, to which rules relate (SARIF 2.1.0, 3.19.3 and 3.49.15)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mqlint.config.estate.controls import Control
from mqlint.dataclass import frozen
from mqlint.grouping import grouped
from mqlint.report.json import Json
from mqlint.report.sarif.places import SHORT, message_text


@frozen
class Taxonomies:
    """The controls by framework, and in each by id; several files may map the same control."""

    frameworks: Sequence[tuple[str, Sequence[tuple[str, Sequence[Control]]]]] = ()

    @classmethod
    def of(cls, controls: Iterable[Control]) -> Taxonomies:
        frameworks = grouped((control.framework, control) for control in controls)
        return cls(
            [
                (name, list(grouped((control.id, control) for control in found).items()))
                for name, found in frameworks.items()
            ]
        )

    def described(self) -> list[Json]:
        """Return what the run says of them."""
        return [
            {"name": name, "taxa": [_taxon(key, found) for key, found in controls]}
            for name, controls in self.frameworks
        ]

    def supported(self) -> list[Json]:
        return [{"name": name, "index": at} for at, (name, _) in enumerate(self.frameworks)]

    def relationships(self, rule: str) -> list[Json]:
        return [
            {
                "target": {
                    "id": key,
                    "index": place,
                    "toolComponent": {"name": name, "index": at},
                },
                "kinds": ["relevant"],
            }
            for at, (name, controls) in enumerate(self.frameworks)
            for place, (key, found) in enumerate(controls)
            if any(rule in control.rules for control in found)
        ]


def _taxon(key: str, found: Sequence[Control]) -> Json:
    title = next((control.title for control in found if control.title), "")
    return {
        "id": key,
        **({"shortDescription": {"text": message_text(title, SHORT)}} if title else {}),
    }
