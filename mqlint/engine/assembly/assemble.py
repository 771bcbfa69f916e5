"""The queue managers of each document, and its place in their order."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from copy import copy
from dataclasses import replace
from functools import cached_property
from operator import itemgetter
from posixpath import dirname
from typing import TYPE_CHECKING, TypeVar

from mqlint.config.estate.placement import Placement
from mqlint.config.settings import COPIES, Settings
from mqlint.engine.assembly.addresses import with_sites
from mqlint.engine.assembly.addressing import Address, addressed
from mqlint.engine.assembly.composed import address_of, declared_by, files_of, rendered_by
from mqlint.engine.assembly.contribution import Contribution, Rank
from mqlint.engine.assembly.relations import Feed, Relations, TwinsByName, branch
from mqlint.engine.assembly.wiring import Wiring, first_feeds
from mqlint.engine.document.reading import Part, Reading
from mqlint.finding import Diagnostic, Subject
from mqlint.grouping import grouped
from mqlint.language.declaration import Declared, Field, FieldValue
from mqlint.language.mqsc import Command, Dialect, Parser, Script
from mqlint.language.mqsc.secrets import secrets_in
from mqlint.model.core.inserts import variables_in
from mqlint.model.core.key import QueueManagerKey
from mqlint.source.masking import masked
from mqlint.validity import Validity
from mqlint.vocabulary import Target, Vocabulary

if TYPE_CHECKING:
    from mqlint.language.kubernetes.composed import Composition
    from mqlint.language.script.step import Step

_Looped = TypeVar("_Looped", Part, "Step")
_SIGNS = ("{{", "$", "@", "%", "__")
"""Signs of variables in a value."""
_PROGRAMS = frozenset({"python", "perl", "rexx", "source"})
_MOST_FED = 100_000
"""Limit of the commands that one file gives to all queue managers that it is fed to."""


class Assembly:
    """Decides for each document which queue managers it describes."""

    def __init__(
        self,
        settings: Settings,
        vocabulary: Vocabulary,
        repository: str = "",
        relations: Relations = Relations(),  # noqa: B008 a tuple
    ) -> None:
        """In an estate, the paths of this repository begin with the name `repository`.

        A name of the repository in the settings overrides it as identity.
        """
        self.settings = settings
        self.vocabulary = vocabulary
        self.repository = settings.repository or repository
        self._prefix = f"{repository}/" if repository else ""
        self.placement = Placement(settings, self._prefix)
        self._take(relations)

    def _take(self, relations: Relations) -> None:
        self.relations = relations
        guesses = relations.roles, relations.namespaces, relations.fed_roles
        known = self.placement
        if guesses != (known.roles, known.namespaces, known.fed_roles):
            self.placement = Placement(self.settings, self._prefix, *guesses)
        if relations.twins:
            self.settings = replace(self.settings, twins=TwinsByName(inferred=relations.twins))
        if relations.found_sites:
            self.settings = with_sites(self.settings, relations.found_sites)
        self._wiring = Wiring(relations.wired)
        self._fed = first_feeds(relations, self.placement.site_name_of)
        self.__dict__.pop("applying", None)

    @property
    def feeds(self) -> Mapping[str, Sequence[Feed]]:
        """How files are fed to queue managers, by the path of the file."""
        return self._fed

    def related(self, relations: Relations) -> Assembly:
        """Return an assembly that knows what documents say about each other."""
        assembly = copy(self)
        assembly._take(relations)
        return assembly

    def contributions(
        self, path: str, reading: Reading
    ) -> Iterator[tuple[QueueManagerKey, Contribution]]:
        """Yield what a document says of each queue manager, at each site that applies it."""
        if path in self.relations.again:
            reading = self._again(path, reading)
        if reading.stretches and self.placement.site_of(path) is None:
            for name, part in reading.parted():
                for key, contribution in self._contributions(path, part):
                    if name and not key.site:
                        contribution.root = f"{path}/{name}/{path}"
                        key = self._at_site(key, contribution.root)
                    yield key, contribution
            return
        roots = self._roots_of(path)
        for key, contribution in self._contributions(path, reading):
            if key.site or not roots:
                yield key, contribution
            else:
                yield from ((self._at_site(key, root), contribution) for root in roots)

    def _again(self, path: str, reading: Reading) -> Reading:
        """Return the reading of a script with the variables that it gets from other files."""
        from mqlint.engine.document.pack import unpack  # here, as few scripts get any

        again = unpack(json.loads(self.relations.again[path]), self._parser)
        again.lines, again.digest = reading.lines, reading.digest
        return again

    def _roots_of(self, path: str) -> tuple[str, ...]:
        """A path of each site at which a file, or each script that feeds it, is applied."""
        composed = self.relations.composed
        feeds = self._fed.get(path, ()) if composed.deployed else ()
        fed = {composed.roots_of(feed.script) for feed in feeds}
        return composed.roots_of(path) or (fed.pop() if len(fed) == 1 else ())

    def about(self, path: str) -> str:
        """Return a text that differs if other documents say something else of a file."""
        roots, relations = self._roots_of(path), self.relations
        others = (
            *(relations.copies.get(path, ""), relations.owners.stretches.get(path, "")),
            *(relations.joined.get(path, ""), relations.feeds.get(path, "")),
            relations.again.get(path, ""),
        )
        alone = sorted(relations.of_one_file)
        about = relations.composed.about(path)
        return f"{about}{alone or ''}{roots or ''}{''.join(map(str, others))}"

    def profiles_of(self, path: str) -> tuple[str, ...]:
        """Return the profiles that judge a document, and a queue manager that it describes."""
        return COPIES if path in self.relations.copies else self.placement.profiles_of(path)

    def _at_site(self, key: QueueManagerKey, root: str) -> QueueManagerKey:
        """The queue manager of a document without a site at the site of another path."""
        place = self.placement.site_of(root)
        site, is_guessed = (place.site.name, place.guessed) if place is not None else ("", True)
        home = self.repository if is_guessed or key.anonymous else ""
        return replace(key, site=site, repository=home)

    def _contributions(
        self, path: str, reading: Reading
    ) -> Iterator[tuple[QueueManagerKey, Contribution]]:
        composed = self.relations.composed
        is_part = path in composed.settled
        addressed = [*self._addressed(path, reading)]
        used = self._used(reading.named_by, addressed)
        for address, contribution in addressed:
            if is_part:
                contribution.declared = ()
                if not (contribution.part or contribution.stanzas or contribution.steps):
                    continue
            elif path in composed.replaced:
                places = composed.replaced[path]
                contribution.declared = tuple(
                    declared
                    for declared in contribution.declared
                    if not any(field.span in places for field in declared.fields)
                )
            elif address.open_to == "server":
                contribution.declared = tuple(self._placed(path, contribution.declared))
            owners = self._composed_owners(path, address, contribution, is_part=is_part)
            if owners is not None:
                yield from owners
            elif address.open_to == "all" and address.name is None and path in self._fed:
                yield from self._fed_to(path, address, contribution)
            elif given := [
                *self._with_values(path, address, contribution, used.get(address.name, set()))
            ]:
                yield from given
            else:
                self._add_values(path, contribution)
                for key in self.owners(path, (address,), contribution.size):
                    yield key, contribution
        for composition in composed.made.get(path, ()):
            yield from self._of_composition(composition, reading)

    def _composed_owners(
        self, path: str, address: Address, contribution: Contribution, *, is_part: bool
    ) -> Iterable[tuple[QueueManagerKey, Contribution]] | None:
        """What MQSC gives to each queue manager of compositions; None for anything else."""
        part = contribution.part
        if part is not None and self.relations.composed.made:
            offset = part.segments[0][1] if part.segments else -1
            owners = self.relations.composed.texts.get(path, {}).get(offset)
            if owners is not None:
                keys = dict.fromkeys(
                    self.key(root, name) if name else self.key(path, None, address.model)
                    for root, name in owners
                )
                return ((key, contribution) for key in keys)
            if is_part:  # an overlay replaces it
                return ()
        return None

    def _used(
        self, named_by: Sequence[str], parts: Iterable[tuple[Address, Contribution]]
    ) -> Mapping[str | None, Set[str]]:
        """The variables that decide at which sites the queue managers of a document are, by name.

        For None, those of `named_by`, which name the queue managers of its commands.
        """
        if not self.relations.composed.inventories:
            return {}
        used: dict[str | None, set[str]] = {None: {*named_by} if len(named_by) == 1 else set()}
        for address, contribution in parts:
            if address.name is not None and contribution.part is not None:
                used.setdefault(address.name, set()).update(_deciding(contribution))
        return used

    def _with_values(
        self, path: str, address: Address, contribution: Contribution, deciding: Set[str]
    ) -> Iterator[tuple[QueueManagerKey, Contribution]]:
        """Yield a text for each queue manager that gives its variables values.

        Those are of sites or hosts, for a file of one site only its own; hosts of one queue manager
        are instances of it. None unless sites or hosts of a file without a site are several, and
        none if they are too many: the values then stay unknown.
        One with a name is at several sites if variables of the `deciding` are, and if no other file
        is about it: what that says would be of no site.
        """
        part = contribution.part
        known = self.relations.composed.inventories
        is_named = address.open_to == "all" or address.model.startswith("${")
        is_open = address.name is None and is_named
        is_whole = address.name in self.relations.of_one_file and address.open_to != "server"
        is_decided = is_whole and bool(deciding)
        if not known or not (is_open or is_decided):
            return
        of_file = self.placement.site_name_of(path)
        used = {*deciding}
        if part is not None:
            used |= _variables_of(part.commands)
        from mqlint.language.variables.inventory import applied, common_values  # few have any

        steps = contribution.steps
        places = dict.fromkeys(step.span[0] for step in steps) or {contribution.at: None}
        by_place = applied(known, path, used, [*places], of_file)
        found = {each.digest: each for several in by_place for each in several}
        if len(found) > _room(contribution.size):
            return
        sites = {each.site for each in found.values()} - {""}
        if is_decided and not of_file and len(sites) <= 1:
            return
        # Jobs that share a file may each have a queue manager of their own.
        keys = {
            digest: self.key(
                path if of_file else each.root,
                address.name or each.queue_manager,
                f"{path}:{address.model}",
            )
            for digest, each in found.items()
            if address.name is None or each.queue_manager in (None, address.name)
        }
        keys_at = {
            at: dict.fromkeys(keys[each.digest] for each in several if each.digest in keys)
            for at, several in zip(places, by_place, strict=True)
        }
        own_steps = grouped((key, step) for step in steps for key in keys_at[step.span[0]])
        for key, same in grouped((key, found[digest]) for digest, key in keys.items()).items():
            own = copy(contribution)
            own.values = common_values(same, used)
            own.steps = own_steps.get(key, [])
            if len(same) == 1 and same[0].is_round:
                own.part = _in_round(part, own.language) if part is not None else None
                own.steps = [_in_round(step, own.language) for step in own.steps]
            yield key, own
        others = [step for step in steps if not keys_at[step.span[0]]]
        if keys and others:
            own = copy(contribution)
            own.steps = others
            yield from ((key, own) for key in self.owners(path, (address,), own.size))

    def _fed_to(
        self, path: str, address: Address, contribution: Contribution
    ) -> Iterator[tuple[QueueManagerKey, Contribution]]:
        """Yield what a file gives to each queue manager that scripts feed it to."""
        ordered = self.placement.order_of(path)
        for feed in self._fed[path][: _room(contribution.size)]:
            own = copy(contribution)
            own.rank = (1, feed.script, feed.at) if ordered is None else contribution.rank
            if feed.entry and own.part is not None:
                own.part = replace(own.part, entry=feed.entry)
            name = feed.queue_manager or self.owner(path, None, address.entry)
            named = address._replace(name=name)
            deciding = _deciding(own) if name else set[str]()
            given = [*self._with_values(path, named, own, deciding)] if deciding else []
            if not given:
                self._add_values(path, own)
            yield from given or ((self._fed_key(path, name, address, feed), own),)

    def _add_values(self, path: str, contribution: Contribution) -> None:
        """Add values of variables that are the same wherever the text is applied."""
        known = self.relations.composed.inventories
        used = _variables_of(contribution.part.commands) if known and contribution.part else ()
        if used:
            from mqlint.language.variables.inventory import applied, common_values  # few have any

            of_file = self.placement.site_name_of(path)
            [found] = applied(known, path, used, [contribution.at], of_file)
            contribution.values = common_values(found, used) if found else contribution.values

    def _fed_key(
        self, path: str, name: str | None, address: Address, feed: Feed
    ) -> QueueManagerKey:
        """The queue manager that a file is fed to; without a name, that of an image."""
        return self.key(path if name else feed.script, name, address.model, feed.script)

    def owners(
        self, path: str, addresses: Iterable[Address], commands: int = 0
    ) -> Iterator[QueueManagerKey]:
        """Yield the queue managers of parts: all that share an entry, but none of too many."""
        for address in addresses:
            is_open = address.name is None and address.open_to in ("all", "manifest")
            readers = self._wiring.readers(path, address.entry) if is_open else []
            keys = dict.fromkeys(self.key(path, name, "", script) for name, script in readers)
            if 1 < len(keys) <= _room(commands):
                yield from keys
            elif address.open_to == "server":
                yield from self._servers(path, address)
            else:
                yield self._resolved(path, address)

    def feeds_left_out(self, path: str, commands: int) -> str:
        """Return what is not judged of a file with so many commands, blank if nothing is."""
        number, room = len(self._fed.get(path, ())), _room(commands)
        if number <= room:
            return ""
        return f"the file is fed to {number:,} queue managers, and only {room:,} are judged with it"

    def _of_composition(
        self, composition: Composition, reading: Reading
    ) -> Iterator[tuple[QueueManagerKey, Contribution]]:
        """Yield what the files say together of which a document names the others."""
        path, place = composition.root, composition.place
        files = files_of(composition)
        for declared in declared_by(composition):
            address = address_of(declared)
            found: Iterable[Declared] = (declared,)
            if address.open_to == "server":
                found = self._placed(place, found)
            contribution = Contribution(
                *(path, reading.lines, self._rank(path), reading.language, reading.digest),
                declared=tuple(found),
                files=files,
                root=place,
            )
            for key in self.owners(place, (address,)):
                yield key, contribution
        for inner in rendered_by(composition):
            at = max(bisect_right(files, inner.segments[0][1], key=itemgetter(0)) - 1, 0)
            _, file, lines = files[at]
            script = self._read(inner.text)
            part = Part(
                script.commands,
                inner.queue_manager,
                segments=inner.segments,
                execution=inner.execution,
                entry=inner.entry,
                branches=script.branches,
            )
            yield (
                self.key(place, inner.queue_manager, inner.model),
                Contribution(
                    *(file, lines, None, reading.language, reading.digest, part),
                    files=files,
                    root=place,
                    document=composition.root,
                ),
            )

    def _read(self, text: str) -> Script:
        """The commands of a text that values of a chart are in, without secrets."""
        script = self._parser.parse(text, Dialect())
        hidden = masked(text, secrets_in(script, text, self.vocabulary))
        return script if hidden == text else self._parser.parse(hidden, Dialect())

    def judged(self, text: str, path: str) -> Iterator[Diagnostic]:
        """Yield the faults of the words in such a text, for the target of a path."""
        validity = Validity(self.vocabulary, self.target(path))
        for command in self._read(text).commands:
            yield from validity.judge(command)[0]

    @cached_property
    def _parser(self) -> Parser:
        return Parser(self.vocabulary)

    def _placed(self, path: str, connections: Iterable[Declared]) -> Iterator[Declared]:
        """Connections with what the configuration and other documents say of them."""
        from mqlint.engine.assembly.called import known_of_servers  # here, as few files have any

        place = self.placement.site_of(path)
        for declared in connections:
            values: list[tuple[str, FieldValue]] = []
            if place is not None and not place.guessed:
                values += ("client.site", place.site.name), ("client.role", place.site.role)
                values.append(("client.isolation", place.site.isolation))
            site = place.site.name if place is not None else ""
            values += known_of_servers(declared, self.relations.servers, site)
            more = tuple(Field(name, value, declared.span) for name, value in values)
            yield replace(declared, fields=(*declared.fields, *more)) if more else declared

    def addresses(self, path: str, reading: Reading) -> tuple[Address, ...]:
        """Return the addresses in a document; they do not depend on other documents."""
        return tuple(dict.fromkeys(address for address, _ in self._addressed(path, reading)))

    def _resolved(self, path: str, address: Address) -> QueueManagerKey:
        name = address.name
        if address.open_to == "all":
            feeds = self._fed.get(path) if name is None else None
            name = self.owner(path, name, address.entry)
            if feeds:
                return self._fed_key(path, name, address, feeds[0])
        elif address.open_to == "manifest":
            name = name or self._wiring.queue_manager(path, address.entry)
            name = name or self.relations.owners.obvious.get(path)
        script = self._wiring.manifest(path, address.entry, name)
        return self.key(path, name, address.model, script)

    def _addressed(self, path: str, reading: Reading) -> Iterator[tuple[Address, Contribution]]:
        by_path = self.placement.queue_manager_of(path)
        stretches = self.relations.owners.stretches.get(path, ())
        is_given = path in self.relations.composed.inventories
        return addressed(path, reading, by_path, self._rank(path), stretches, is_given=is_given)

    def key(
        self, path: str, queue_manager: str | None, model: str = "", script: str = ""
    ) -> QueueManagerKey:
        """Return the identity of the queue manager of a document.

        Without a name (a copy has none), `model` distinguishes the texts of one document. One that
        shows no site has that of the `script` that feeds it, or the one that the name tells. So has
        one whose site only a pair of names tells: `base.mqsc` and `base-dr.mqsc` may be fed to one.
        If neither tells it, the site is that of the files that configure a queue manager so named.
        """
        queue_manager = None if path in self.relations.copies else queue_manager
        place = self.placement.site_of(path)
        if script and (place is None or place.is_of_pair):
            place = self.placement.site_of(script)
        if place is None and queue_manager is not None:
            place = self.placement.site_named(queue_manager)
            if place is None and queue_manager in self.relations.located:
                place = self.placement.site_of(self.relations.located[queue_manager])
        name = place.site.name if place is not None else ""
        if queue_manager is None:
            return QueueManagerKey(self.repository, name, path, anonymous=True, model=model)
        known = place is not None and not place.guessed
        key = QueueManagerKey("" if known else self.repository, name, queue_manager)
        parent = self.relations.namesakes.get(key)
        return key if parent is None else replace(key, folder=branch(dirname(path), parent))

    def owner(self, path: str, stated: str | None, entry: str = "") -> str | None:
        """Return the queue manager of MQSC: by its text, its path, or the script that feeds it.

        `entry` is the name of the text in its file, if it has one.
        """
        feed, *_ = self._fed.get(path) or (None,)
        fed = feed.queue_manager or None if feed is not None else None
        owners = self.relations.composed.texts.get(path, {}).get(-1, ())
        fed = owners[0][1] or None if owners else fed
        known = stated or self.placement.queue_manager_of(path) or fed
        known = known or self._wiring.queue_manager(path, entry)
        return known or self.relations.owners.obvious.get(path)

    def _servers(self, path: str, address: Address) -> Sequence[QueueManagerKey]:
        """The queue managers that an application calls, otherwise one without a name for its file.

        A name that several queue managers have is not decided, except that of one at its site.
        """
        from mqlint.engine.assembly.called import answering  # here, as few files call any

        servers, alone = self.relations.servers, self.key(path, None)
        is_copy, is_whole = path in self.relations.copies, self.settings.inventory.objects
        found = [] if is_copy else answering(servers, address, is_whole=is_whole)
        if found is not None:
            return found or [alone]
        near = self.key(path, address.calls or address.name)
        named = servers.by_name.get(near.name, ())
        if near in named:
            return [near]
        return [named[0] if len(named) == 1 and not self.relations.namesakes else alone]

    def subject(self, path: str, stated: str | None = None, entry: str = "") -> Subject:
        """Return the subject of findings in a document, or in its MQSC for `stated`."""
        feed, *_ = self._fed.get(path) or (None,)
        script = feed.script if feed is not None and stated is None else ""
        key = self.key(path, self.owner(path, stated, entry), script=script)
        return Subject(site=key.site or None, queue_manager=None if key.anonymous else key.name)

    def _rank(self, path: str) -> Rank | None:
        """The place of a document in a known order: the configuration's, or a script's."""
        place = self.placement.order_of(path)
        if place is not None:
            return (0, "", place)
        feed, *_ = self._fed.get(path) or (None,)
        return (1, feed.script, feed.at) if feed is not None else None

    def target(self, path: str) -> Target:
        target = self.placement.target_of(path)
        parts = target.level.parts if target.level is not None else ()
        level = (parts[0], parts[1], parts[2]) if len(parts) >= 3 else None
        return Target(level, target.platform, "configured target")

    @cached_property
    def applying(self) -> dict[str, str]:
        """A path of each site to which files of no site are applied."""
        composed = self.relations.composed
        roots = [feed.script for feeds in self._fed.values() for feed in feeds]
        roots += (root for found in composed.deployed.values() for root in found.roots)
        roots += (
            inventory.root
            for found in composed.inventories.values()
            for site in found.sites
            for inventory in site
        )
        return {self.placement.site_name_of(root): root for root in reversed(roots)}


def _deciding(contribution: Contribution) -> Set[str]:
    """The variables in definitions. What only changes a queue manager may move it to a site."""
    commands = contribution.part.commands if contribution.part is not None else ()
    return _variables_of(each for each in commands if each.form.shape.verb == "DEFINE")


def _in_round(looped: _Looped, language: str) -> _Looped:
    """What a loop or function runs, in one round or call of it; a branch in it may not run.

    When a program runs a text is never known, but one with values of the row is for the row.
    """
    is_of_program = language in _PROGRAMS and not looped.execution.why
    if looped.execution.why not in ("loop", "function") and not is_of_program:
        return looped
    return replace(looped, execution=replace(looped.execution, maybe=False, why=""))


def _variables_of(commands: Iterable[Command]) -> Set[str]:
    """The variables in the values of some commands."""
    texts = {
        raw for command in commands for raw in command.values if any(sign in raw for sign in _SIGNS)
    }
    return {name for text in texts for name in variables_in(text)}


def _room(commands: int) -> int:
    """How many queue managers get a file with so many commands."""
    return max(1, _MOST_FED // max(1, commands))
