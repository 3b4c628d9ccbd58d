"""The power-loss model: everything it may do it does for some seed, and nothing else for any."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from riverlog.sim.media import (
    PAGE,
    SECTOR,
    Create,
    Journal,
    MakeFolder,
    Mark,
    Media,
    Remove,
    Rename,
    SyncBegin,
    SyncEnd,
    Truncate,
    Write,
)
from riverlog.sim.rng import SimRng

SEEDS = 300


def media_with(*ops: object) -> Media:
    media = Media()
    for op in ops:
        media.apply(op)  # type: ignore[arg-type]
    return media


def synced(number: int, *files: str, folders: tuple[str, ...] = ()) -> tuple[SyncBegin, SyncEnd]:
    return SyncBegin(number, files, folders), SyncEnd(number)


def outcomes(media: Media, look: Callable[[dict[str, bytes]], object]) -> set[object]:
    return {look(media.power_loss(SimRng(seed)).image()) for seed in range(SEEDS)}


def test_synced_file_with_a_synced_name_survives_every_cut() -> None:
    media = media_with(Create("/f"), Write("/f", 0, b"x" * 10_000), *synced(1, "/f", folders=("/",)))
    assert outcomes(media, lambda image: image.get("/f")) == {b"x" * 10_000}


def test_synced_file_without_a_synced_name_may_vanish_but_is_never_torn() -> None:
    media = media_with(Create("/f"), Write("/f", 0, b"x" * 10_000), *synced(1, "/f"))
    assert outcomes(media, lambda image: image.get("/f")) == {None, b"x" * 10_000}


def test_unsynced_pages_are_old_new_or_torn_at_sectors_each_for_itself() -> None:
    old, new = b"o" * (2 * PAGE), b"n" * (2 * PAGE)
    media = media_with(
        Create("/f"), Write("/f", 0, old), *synced(1, "/f", folders=("/",)), Write("/f", 0, new)
    )
    seen: list[set[str]] = [set(), set()]
    pairs = set()
    for seed in range(SEEDS):
        content = media.power_loss(SimRng(seed)).image()["/f"]
        assert len(content) == 2 * PAGE
        kinds = []
        for page in range(2):
            data = content[page * PAGE : (page + 1) * PAGE]
            sectors = [data[at : at + SECTOR] for at in range(0, PAGE, SECTOR)]
            assert all(sector in (b"o" * SECTOR, b"n" * SECTOR) for sector in sectors)
            kinds.append("old" if data == old[:PAGE] else "new" if data == new[:PAGE] else "torn")
            seen[page].add(kinds[page])
        pairs.add(tuple(kinds))
    assert seen == [{"old", "new", "torn"}] * 2
    assert len(pairs) == 9


def test_length_is_old_or_new_and_unwritten_ranges_are_zero() -> None:
    media = media_with(
        Create("/f"),
        Write("/f", 0, b"o" * 1000),
        *synced(1, "/f", folders=("/",)),
        Write("/f", 1000, b"n" * 9000),
    )
    contents = {media.power_loss(SimRng(seed)).image()["/f"] for seed in range(SEEDS)}
    assert {len(content) for content in contents} == {1000, 10_000}
    for content in contents:
        assert content[:1000] == b"o" * 1000
        assert set(content[1000:]) <= {0, ord("n")}
    assert b"o" * 1000 + bytes(9000) in contents
    assert b"o" * 1000 + b"n" * 9000 in contents


def test_unsynced_cut_may_come_back_with_the_old_bytes() -> None:
    media = media_with(
        Create("/f"), Write("/f", 0, b"o" * 10_000), *synced(1, "/f", folders=("/",)), Truncate("/f", 100)
    )
    contents = {media.power_loss(SimRng(seed)).image()["/f"] for seed in range(SEEDS)}
    assert {len(content) for content in contents} == {100, 10_000}
    assert all(content[:100] == b"o" * 100 for content in contents)
    assert all(content[PAGE:] == b"o" * (10_000 - PAGE) for content in contents if len(content) > 100)


def test_new_bytes_after_an_unsynced_cut_may_mix_with_the_old() -> None:
    media = media_with(
        Create("/f"),
        Write("/f", 0, b"o" * 3 * PAGE),
        *synced(1, "/f", folders=("/",)),
        Truncate("/f", 0),
        Write("/f", 0, b"n" * 3 * PAGE),
    )
    contents = {media.power_loss(SimRng(seed)).image()["/f"] for seed in range(SEEDS)}
    assert any(b"o" in content and b"n" in content for content in contents)


def test_a_sync_covers_what_was_written_when_it_began() -> None:
    media = media_with(
        Create("/f"),
        *synced(1, folders=("/",)),
        Write("/f", 0, b"first"),
        SyncBegin(2, ("/f",), ()),
        Write("/f", 5, b"later"),
        SyncEnd(2),
    )
    assert outcomes(media, lambda image: image["/f"][:5]) == {b"first"}
    assert outcomes(media, lambda image: image["/f"][5:]) >= {b"", b"later", b"\0" * 5}


def test_a_sync_that_did_not_end_promises_nothing() -> None:
    media = media_with(
        Create("/f"), *synced(1, folders=("/",)), Write("/f", 0, b"x"), SyncBegin(2, ("/f",), ())
    )
    assert outcomes(media, lambda image: image["/f"]) == {b"", b"x", b"\0"}


def test_older_sync_that_ends_late_does_not_bring_old_bytes_back() -> None:
    media = media_with(
        Create("/f"),
        Write("/f", 0, b"1"),
        SyncBegin(1, ("/f",), ("/",)),
        Write("/f", 0, b"2"),
        *synced(2, "/f"),
        SyncEnd(1),
    )
    assert outcomes(media, lambda image: image["/f"]) == {b"2"}


def test_after_a_failed_sync_the_next_one_saves_nothing() -> None:
    media = media_with(
        Create("/f"),
        *synced(1, folders=("/",)),
        Write("/f", 0, b"lost?"),
        SyncBegin(2, ("/f",), ()),
        SyncEnd(2, ok=False),
        *synced(3, "/f"),
    )
    assert media.image()["/f"] == b"lost?"
    seen = outcomes(media, lambda image: image["/f"])
    assert b"\0" * 5 in seen
    assert b"lost?" in seen


def test_rewriting_after_a_failed_sync_makes_the_page_count_again() -> None:
    media = media_with(
        Create("/f"),
        *synced(1, folders=("/",)),
        Write("/f", 0, b"kept"),
        SyncBegin(2, ("/f",), ()),
        SyncEnd(2, ok=False),
        Write("/f", 0, b"kept"),
        *synced(3, "/f"),
    )
    assert outcomes(media, lambda image: image["/f"]) == {b"kept"}


def test_evicted_pages_of_a_failed_sync_show_the_old_bytes() -> None:
    def failed() -> Media:
        return media_with(
            Create("/f"),
            Write("/f", 0, b"old"),
            *synced(1, "/f", folders=("/",)),
            Write("/f", 0, b"new"),
            SyncBegin(2, ("/f",), ()),
            SyncEnd(2, ok=False),
        )

    seen = set()
    for seed in range(20):
        media = failed()
        media.drop_doubtful(SimRng(seed))
        seen.add(media.image()["/f"])
    assert seen == {b"old", b"new"}


def test_names_survive_as_a_prefix_per_folder() -> None:
    media = media_with(
        MakeFolder("/a"),
        MakeFolder("/b"),
        *synced(1, folders=("/",)),
        Create("/a/1"),
        Create("/b/1"),
        Create("/a/2"),
        Rename("/a/1", "/a/3"),
        Create("/b/2"),
        Remove("/a/2"),
    )

    def names(folder: str) -> Callable[[dict[str, bytes]], object]:
        return lambda image: tuple(sorted(path[3:] for path in image if path.startswith(folder)))

    assert outcomes(media, names("/a")) == {(), ("1",), ("1", "2"), ("2", "3"), ("3",)}
    assert outcomes(media, names("/b")) == {(), ("1",), ("1", "2")}
    both = outcomes(media, lambda image: (names("/a")(image), names("/b")(image)))
    assert len(both) == 15


def test_rename_replaces_at_once_or_not_at_all() -> None:
    media = media_with(
        Create("/f"),
        Write("/f", 0, b"old"),
        Create("/f.tmp"),
        Write("/f.tmp", 0, b"new"),
        *synced(1, "/f", "/f.tmp", folders=("/",)),
        Rename("/f.tmp", "/f"),
    )
    assert outcomes(media, lambda image: tuple(sorted(image.items()))) == {
        (("/f", b"old"), ("/f.tmp", b"new")),
        (("/f", b"new"),),
    }


def test_folder_that_was_never_synced_takes_its_files_with_it() -> None:
    media = media_with(
        MakeFolder("/t"), Create("/t/f"), Write("/t/f", 0, b"x"), *synced(1, "/t/f", folders=("/t",))
    )
    assert outcomes(media, lambda image: image.get("/t/f")) == {None, b"x"}


def test_removal_that_was_not_synced_may_come_back() -> None:
    media = media_with(
        Create("/f"), Write("/f", 0, b"x"), *synced(1, "/f", folders=("/",)), Remove("/f"), Create("/f")
    )
    assert outcomes(media, lambda image: image.get("/f")) == {b"x", None, b""}


def test_power_loss_leaves_the_media_it_was_asked_of_alone() -> None:
    media = media_with(Create("/f"), Write("/f", 0, b"x"))
    before = media.image()
    lost = media.power_loss(SimRng(3))
    lost.apply(Create("/other"))
    assert media.image() == before
    assert {inode.synced for _, inode in lost.files()} <= {True, False}


def test_what_survived_is_durable() -> None:
    media = media_with(Create("/f"), Write("/f", 0, b"n" * 9000), *synced(1, folders=("/",)))
    lost = media.power_loss(SimRng(5))
    assert outcomes(lost, lambda image: image["/f"]) == {lost.image()["/f"]}


def test_same_seed_cuts_the_same_way() -> None:
    media = media_with(Create("/f"), Write("/f", 0, bytes(range(256)) * 64))
    assert media.power_loss(SimRng(9)).image() == media.power_loss(SimRng(9)).image()


def test_process_death_keeps_the_page_cache_and_forgets_syncs_under_way() -> None:
    media = media_with(
        Create("/f"), *synced(1, folders=("/",)), Write("/f", 0, b"x"), SyncBegin(2, ("/f",), ())
    )
    media.process_death()
    assert media.image() == {"/f": b"x"}
    with pytest.raises(KeyError):
        media.apply(SyncEnd(2))
    assert b"" in outcomes(media, lambda image: image["/f"])


def test_used_bytes_follow_every_change() -> None:
    media = media_with(
        Create("/f"), Write("/f", 0, b"x" * 100), Create("/g"), Write("/g", 50, b"y"), Truncate("/f", 30)
    )
    assert media.used_bytes == 81
    media.apply(Rename("/g", "/f"))
    assert media.used_bytes == 51
    media.apply(Remove("/f"))
    assert media.used_bytes == 0


def test_journal_replays_to_every_point() -> None:
    journal = Journal()
    journal.ops += [Create("/f"), Write("/f", 0, b"ab"), Mark("acked"), *synced(1, "/f"), Remove("/f")]
    seen = [(number, type(op).__name__, media.image()) for number, op, media in journal.cuts()]
    assert [image for _, _, image in seen] == [{"/f": b""}] + [{"/f": b"ab"}] * 4 + [{}]
    assert [number for number, _, _ in seen] == [1, 2, 3, 4, 5, 6]
