"""The lab's peers in Python, and the table of the fastest."""

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from drawing import drawn

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "crates/pingala-lab"))
child = importlib.import_module("peers.child")
fastest = importlib.import_module("peers.fastest")
surprises = importlib.import_module("peers.surprises")


@pytest.mark.parametrize("peer", child.PEERS)
def test_a_peer_computes_the_powers(peer):
    if peer == "flint":
        pytest.importorskip("flint")
    version, load = child.PEERS[peer]()
    assert version
    jobs = [
        (drawn(f"{peer} base", bits), drawn(f"{peer} exponent", 80), drawn(f"{peer} m", bits) | 1) for bits in (60, 700)
    ]
    assert load(jobs)() == [pow(*job) for job in jobs]


def test_an_old_flint_is_left_out(monkeypatch):
    monkeypatch.setitem(sys.modules, "flint", SimpleNamespace(__FLINT_VERSION__="3.5.9"))
    with pytest.raises(ImportError, match=r"3\.5\.9 is older than 3\.6"):
        child.flint()


def record(masked, date, **tables):
    header = {"masked": masked, "date": date, "cpu": "a CPU", "commit": "c", "rounds": 1}
    cells = [
        {"shape": shape, "modulus_bits": 512, "contenders": {name: {"lower": time} for name, time in times.items()}}
        for shape, times in tables.items()
    ]
    return {"header": {**header, "dropped": {"samples": 0, "of": 9}}, "cells": cells}


def test_the_table_names_the_fastest_peer_of_the_newest_records():
    two = {"peers": {"pingala": 10, "FLINT": 21, "gmpy2": 20}, "peers-long": {"pingala": 2, "gmpy2": 3}}
    records = [
        record("", "1", peers={"pingala": 1, "FLINT": 9}),
        record("", "2", **two),
        record("avx512f", "3", peers={"pingala": 10, "FLINT": 9, "gmpy2": 12}),
        record("", "4", call={"pingala": 1, "gmpy2": 99}),
    ]
    lines = fastest.table(fastest.newest(records)).splitlines()
    assert (
        lines[0] == "| bits | exponent | fastest peer, whole CPU | ratio | fastest peer, as an AVX2 machine | ratio |"
    )
    assert lines[2:4] == ["| 512 | 64 bits | gmpy2 | 1.50 | - | - |", "| 512 | full | gmpy2 | 2.00 | FLINT | 0.90 |"]
    assert "- 512 bits, as an AVX2 machine: 0.90 of FLINT" in lines
    assert len([line for line in lines if line.startswith("- whole CPU: 2,")]) == 1


@pytest.mark.parametrize("kind", surprises.KINDS)
def test_answers_beside_peers_are_compared(kind, monkeypatch, capsys):
    """A small run; the peers that are not there are named and have empty cells."""
    monkeypatch.setattr(surprises, "gmpy2", None)
    assert surprises.main([kind, "--share", "0.001"]) == 0
    head, missing, *table = capsys.readouterr().out.splitlines()
    assert "Pingala" in head
    assert missing.startswith("missing: gmpy2")
    rows = [line.split(" | ") for line in table[3:]]
    assert rows
    assert all(len(row) == 5 and row[1] and not row[2] for row in rows)


def test_a_wrong_answer_ends_the_run(monkeypatch):
    monkeypatch.setattr(surprises.pingala, "repeated_square", lambda *_, **__: (1, "wesolowski-v1:0x1"))
    with pytest.raises(AssertionError):
        next(surprises.proofs(0.001))
