"""The bytes behind a simulated disk, and what a power cut leaves of them.

This is fault P of ``INVARIANTS.md``. Every file has the content a process sees and the
content that is durable. A power cut decides, from a seed:

- each 4 KiB page written since it was last synced: old, new, or torn at 512-byte sectors;
- the length: old or new, ranges never written read as zeros;
- names: of the creates, renames and removals in a folder since that folder was last synced,
  any prefix survives, folder by folder.

A sync covers what was written when it began. After a failed one the kernel takes the pages
for clean though they are not on the disk, so a later sync passes over them: that is modelled too.

Changes are ``Op`` objects that name files by path, so a recorded list of them can be applied
again to a fresh ``Media`` and cut anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from riverlog.sim.rng import SimRng

PAGE = 4096
SECTOR = 512


class MediaError(Exception):
    """What the kernel would refuse; the disk makes a ``StorageError`` of it."""


class Inode:
    """One file: what is seen, what is durable, and the pages in between."""

    __slots__ = ("content", "dirty", "doubtful", "durable", "durable_stamp")

    def __init__(self) -> None:
        self.content = bytearray()
        self.durable = bytearray()
        self.durable_stamp = 0
        self.dirty: dict[int, int] = {}  # page -> stamp of its last write
        self.doubtful: dict[int, int] = {}  # pages of a failed sync: clean to the kernel, not on disk

    @property
    def synced(self) -> bool:
        return not self.dirty and not self.doubtful and len(self.content) == len(self.durable)

    def write(self, position: int, data: bytes, stamp: int) -> None:
        if not data:
            return
        content = self.content
        end = position + len(data)
        if position > len(content):
            content.extend(bytes(position - len(content)))
        content[position:end] = data
        for page in range(position // PAGE, (end - 1) // PAGE + 1):
            self.dirty[page] = stamp

    def truncate(self, size: int, stamp: int) -> None:
        content = self.content
        if size < len(content):
            del content[size:]
        else:
            content.extend(bytes(size - len(content)))
        for page in range(size // PAGE, (max(len(self.durable), size) + PAGE - 1) // PAGE):
            self.dirty[page] = stamp

    def snapshot(self, stamp: int) -> Snapshot:
        content = self.content
        pages = {page: bytes(content[page * PAGE : (page + 1) * PAGE]) for page in self.dirty}
        return Snapshot(self, stamp, len(content), pages)

    def after_power_loss(self, rng: SimRng) -> Inode:
        """A new inode with what survived, all of it durable."""
        survivor = Inode()
        if self.synced:
            survivor.content = bytearray(self.content)
        else:
            survivor.content = self._draw(rng)
        survivor.durable = bytearray(survivor.content)
        return survivor

    def _draw(self, rng: SimRng) -> bytearray:
        # Whole-file outcomes are drawn often: two files that disagree find more than a fine mix.
        mode = rng.weighted([("mixed", 3.0), ("new", 1.0), ("old", 1.0)])
        if mode == "mixed":
            length = rng.choice((len(self.durable), len(self.content)))
        else:
            length = len(self.content) if mode == "new" else len(self.durable)
        result = bytearray(self.durable[:length])
        result.extend(bytes(length - len(result)))
        for page in sorted({*self.dirty, *self.doubtful}):
            start = page * PAGE
            if start >= length or start >= len(self.content):
                continue
            outcome = rng.choice(("old", "new", "torn")) if mode == "mixed" else mode
            if outcome == "old":
                continue
            new = self.content[start : start + PAGE].ljust(PAGE, b"\0")
            sectors = 0xFF if outcome == "new" else rng.random_int(1, 0xFE)
            for sector in range(PAGE // SECTOR):
                if sectors >> sector & 1:
                    at = start + sector * SECTOR
                    end = min(at + SECTOR, length)
                    if at < end:
                        result[at:end] = new[at - start : end - start]
        return result

    def copy(self) -> Inode:
        twin = Inode()
        twin.content = bytearray(self.content)
        twin.durable = bytearray(self.durable)
        twin.durable_stamp = self.durable_stamp
        twin.dirty = dict(self.dirty)
        twin.doubtful = dict(self.doubtful)
        return twin


@dataclass(slots=True)
class Snapshot:
    """What a sync of one file writes."""

    inode: Inode
    stamp: int
    size: int
    pages: dict[int, bytes]

    def succeed(self) -> None:
        inode = self.inode
        if inode.durable_stamp > self.stamp:
            return  # a later sync of the same file came back first
        inode.durable_stamp = self.stamp
        durable = inode.durable
        if len(durable) > self.size:
            del durable[self.size :]
        else:
            durable.extend(bytes(self.size - len(durable)))
        for page, data in self.pages.items():
            durable[page * PAGE : page * PAGE + len(data)] = data
            inode.doubtful.pop(page, None)
            if inode.dirty.get(page, self.stamp + 1) <= self.stamp:
                del inode.dirty[page]

    def fail(self) -> None:
        for page in self.pages:
            if self.inode.dirty.get(page, self.stamp + 1) <= self.stamp:
                self.inode.doubtful[page] = self.inode.dirty.pop(page)


class Folder:
    """Names: those seen, those durable, and the changes in between in order."""

    __slots__ = ("durable", "entries", "pending")

    def __init__(self) -> None:
        self.entries: dict[str, Node] = {}
        self.durable: dict[str, Node] = {}
        # (stamp, names): a name with its node, or None for a removal; a rename has two.
        self.pending: list[tuple[int, Names]] = []

    def change(self, stamp: int, *names: tuple[str, Node | None]) -> None:
        _apply_names(self.entries, names)
        self.pending.append((stamp, names))

    def synced(self, stamp: int) -> None:
        """Everything changed up to ``stamp`` is durable now."""
        while self.pending and self.pending[0][0] <= stamp:
            _apply_names(self.durable, self.pending.pop(0)[1])

    def after_power_loss(self, rng: SimRng) -> Folder:
        names = dict(self.durable)
        count = len(self.pending)
        survived = rng.weighted([(0, 1.0), (count, 1.0), (rng.random_int(0, count), 2.0)])
        for _, change in self.pending[:survived]:
            _apply_names(names, change)
        survivor = Folder()
        for name in sorted(names):
            survivor.entries[name] = names[name].after_power_loss(rng)
        survivor.durable = dict(survivor.entries)
        return survivor


Node = Inode | Folder
Names = tuple[tuple[str, Node | None], ...]


def _apply_names(entries: dict[str, Node], names: Names) -> None:
    for name, node in names:
        if node is None:
            entries.pop(name, None)
        else:
            entries[name] = node


class Media:
    """One disk's worth of folders and files. Paths start with ``/``."""

    def __init__(self) -> None:
        self.root = Folder()
        self.stamp = 0
        self.names_stamp = 0
        self.used_bytes = 0
        self.syncs: dict[int, tuple[int, list[Snapshot], list[Folder]]] = {}

    def apply(self, op: Op) -> None:
        self.stamp += 1
        op.apply(self)

    def power_loss(self, rng: SimRng) -> Media:
        """What is there when the power is back. This one is not touched."""
        survivor = Media()
        survivor.root = self.root.after_power_loss(rng)
        survivor.used_bytes = sum(len(inode.content) for _, inode in survivor.files())
        return survivor

    def process_death(self) -> None:
        """Kill -9: the page cache stays, syncs under way are as if they had never begun."""
        self.syncs.clear()

    def drop_doubtful(self, rng: SimRng) -> None:
        """The kernel evicts pages it takes for clean: after a failed sync the old bytes are back."""
        for _, inode in self.files():
            for page in sorted(inode.doubtful):
                if rng.chance(0.5):
                    at = page * PAGE
                    end = min(at + PAGE, len(inode.content))
                    inode.content[at:end] = inode.durable[at:end].ljust(max(0, end - at), b"\0")
                    del inode.doubtful[page]

    # -- looking -------------------------------------------------------------------------

    def find(self, path: str) -> Node | None:
        node: Node = self.root
        for name in path.split("/"):
            if not name:
                continue
            if not isinstance(node, Folder):
                return None
            found = node.entries.get(name)
            if found is None:
                return None
            node = found
        return node

    def file(self, path: str) -> Inode:
        node = self.find(path)
        if node is None:
            raise MediaError("no such file")
        if isinstance(node, Folder):
            raise MediaError("is a folder")
        return node

    def folder(self, path: str) -> Folder:
        node = self.find(path)
        if node is None:
            raise MediaError("no such folder")
        if isinstance(node, Inode):
            raise MediaError("not a folder")
        return node

    def parent(self, path: str) -> tuple[Folder, str]:
        above, _, name = path.rstrip("/").rpartition("/")
        return self.folder(above), name

    def files(self, folder: Folder | None = None, path: str = "") -> Iterator[tuple[str, Inode]]:
        """Every file, in the order of paths."""
        folder = folder or self.root
        for name in sorted(folder.entries):
            node = folder.entries[name]
            if isinstance(node, Folder):
                yield from self.files(node, f"{path}/{name}")
            else:
                yield f"{path}/{name}", node

    def image(self) -> dict[str, bytes]:
        """What a process sees: path to content."""
        return {path: bytes(inode.content) for path, inode in self.files()}


# -- changes ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Write:
    path: str
    position: int
    data: bytes

    def apply(self, media: Media) -> None:
        inode = media.file(self.path)
        before = len(inode.content)
        inode.write(self.position, self.data, media.stamp)
        media.used_bytes += len(inode.content) - before


@dataclass(frozen=True, slots=True)
class Truncate:
    path: str
    size: int

    def apply(self, media: Media) -> None:
        inode = media.file(self.path)
        media.used_bytes += self.size - len(inode.content)
        inode.truncate(self.size, media.stamp)


@dataclass(frozen=True, slots=True)
class Create:
    path: str

    def apply(self, media: Media) -> None:
        folder, name = media.parent(self.path)
        folder.change(media.stamp, (name, Inode()))
        media.names_stamp += 1


@dataclass(frozen=True, slots=True)
class MakeFolder:
    path: str

    def apply(self, media: Media) -> None:
        folder, name = media.parent(self.path)
        folder.change(media.stamp, (name, Folder()))
        media.names_stamp += 1


@dataclass(frozen=True, slots=True)
class Rename:
    """Within one folder: atomic, as every journalling file system has it."""

    old: str
    new: str

    def apply(self, media: Media) -> None:
        folder, old_name = media.parent(self.old)
        other, new_name = media.parent(self.new)
        if folder is not other:
            raise MediaError("rename into another folder is not modelled")
        node = folder.entries.get(old_name)
        target = folder.entries.get(new_name)
        if node is None:
            raise MediaError("no such file")
        if node is target:
            return
        if isinstance(node, Folder):
            if isinstance(target, Inode):
                raise MediaError("not a folder")
            if target is not None and target.entries:
                raise MediaError("folder not empty")
        elif isinstance(target, Folder):
            raise MediaError("is a folder")
        elif target is not None:
            media.used_bytes -= len(target.content)
        folder.change(media.stamp, (old_name, None), (new_name, node))
        media.names_stamp += 1


@dataclass(frozen=True, slots=True)
class Remove:
    """A file or an empty folder."""

    path: str

    def apply(self, media: Media) -> None:
        folder, name = media.parent(self.path)
        node = folder.entries.get(name)
        if node is None:
            raise MediaError("no such file")
        if isinstance(node, Inode):
            media.used_bytes -= len(node.content)
        elif node.entries:
            raise MediaError("folder not empty")
        folder.change(media.stamp, (name, None))
        media.names_stamp += 1


@dataclass(frozen=True, slots=True)
class SyncBegin:
    number: int
    files: tuple[str, ...]
    folders: tuple[str, ...]

    def apply(self, media: Media) -> None:
        snapshots = [media.file(path).snapshot(media.stamp) for path in self.files]
        folders = [media.folder(path) for path in self.folders]
        media.syncs[self.number] = (media.stamp, snapshots, folders)


@dataclass(frozen=True, slots=True)
class SyncEnd:
    number: int
    ok: bool = True

    def apply(self, media: Media) -> None:
        stamp, snapshots, folders = media.syncs.pop(self.number)
        for snapshot in snapshots:
            if self.ok:
                snapshot.succeed()
            else:
                snapshot.fail()
        if self.ok:
            for folder in folders:
                folder.synced(stamp)


@dataclass(frozen=True, slots=True)
class Death:
    """Kill -9 of the process that uses this disk."""

    def apply(self, media: Media) -> None:
        media.process_death()


@dataclass(frozen=True, slots=True)
class Mark:
    """Not a change: a note of the workload, such as "this record was acknowledged"."""

    note: object

    def apply(self, media: Media) -> None:
        pass


Op = Write | Truncate | Create | MakeFolder | Rename | Remove | SyncBegin | SyncEnd | Death | Mark


@dataclass(slots=True)
class Journal:
    """Every change of a run, in order, so that the power can be cut after each."""

    ops: list[Op] = field(default_factory=list)

    def mark(self, note: object) -> None:
        self.ops.append(Mark(note))

    def cuts(self) -> Iterator[tuple[int, Op, Media]]:
        """After each change: how many are applied, the last one, and the state to cut.

        The ``Media`` goes on changing: take ``power_loss`` of it before the next step.
        """
        media = Media()
        for number, op in enumerate(self.ops, start=1):
            media.apply(op)
            yield number, op, media
