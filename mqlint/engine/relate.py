"""The relations between the documents of a project, from the links of each document."""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.config.settings import Settings
from mqlint.engine.assemble import Assembly, Relations
from mqlint.engine.links import Links
from mqlint.engine.namesakes import find_namesakes
from mqlint.engine.obvious import find_owners
from mqlint.vocabulary import Vocabulary


def feeds_of(links: Mapping[str, Links]) -> list[tuple[str, str, str]]:
    """Return the files that scripts feed to runmqsc: script, file, queue manager."""
    return [(path, *feed) for path in sorted(links) for feed in links[path].fed]


def related_assembly(
    settings: Settings, vocabulary: Vocabulary, links: Mapping[str, Links], repository: str = ""
) -> Assembly:
    """Return the assembly of a project; `links` are those of all documents, by path."""
    paths, fed = sorted(links), feeds_of(links)
    wired = [(path, entry, manager) for path in paths for entry, manager in links[path].wired]
    shared = frozenset[tuple[str, str]]().union(*(found.shared for found in links.values()))
    relations = Relations(wired, shared=shared)
    assembly = Assembly(settings, vocabulary, fed, repository, relations)
    relations = relations._replace(namesakes=find_namesakes(links, assembly))
    assembly = assembly.related(relations)
    relations = relations._replace(owners=find_owners(links, assembly))
    assembly = assembly.related(relations)
    if not any(found.calls for found in links.values()):
        return assembly
    from mqlint.engine.servers import find_servers  # here, as few projects have applications

    return assembly.related(relations._replace(servers=find_servers(links, assembly)))
