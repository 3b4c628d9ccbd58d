"""The checkers of the transactional runs are checked: each planted bug is caught."""

from __future__ import annotations

import pytest
from txn_bugs import BUGS, SUBSTITUTES

from riverlog.sim.checkers import Violation
from riverlog.sim.cluster_txn_workload import TxnRun

pytestmark = [pytest.mark.sim, pytest.mark.timeout(600)]


@pytest.mark.parametrize("name", BUGS)
def test_planted_bug_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for target, function, wrong in SUBSTITUTES.get(name, ()):
        monkeypatch.setattr(target, function, wrong)
    plant, seeds = BUGS[name]
    with pytest.raises(Violation, match=r"replay: riverlog sim replay txn-\d+"):  # noqa: PT012 - any of them
        for seed in range(seeds):
            TxnRun(seed, plant=plant).run()
