"""Published bugs of other implementations, and edges; see vectors/README.md."""

import json
from pathlib import Path

import pytest

import pingala

VECTORS = Path(__file__).resolve().parents[2] / "vectors"


def rows(name):
    return [json.loads(line) for line in (VECTORS / name).read_text().splitlines()]


def number(text):
    return text if isinstance(text, int) else int(text, 16)


def check(base, exponent, modulus, expected):
    if expected == "error":
        with pytest.raises(pingala.PingalaError):
            pingala.powmod(base, exponent, modulus)
    else:
        assert pingala.powmod(base, exponent, modulus) == number(expected)


def test_published_bugs():
    bugs = rows("pow_bugs.jsonl")
    assert len(bugs) >= 18
    for bug in bugs:
        check(number(bug["base"]), number(bug["exponent"]), number(bug["modulus"]), bug["expected"])


def test_edges():
    edges = rows("edges.jsonl")
    assert len(edges) >= 900
    for edge in edges:
        check(number(edge["base"]), number(edge["exponent"]), number(edge["modulus"]), edge["expected"])
    columns = [[number(edge[name]) for edge in edges] for name in ("base", "exponent", "modulus")]
    for edge, result in zip(edges, pingala.powmod_list(*columns, errors="return"), strict=True):
        if edge["expected"] == "error":
            assert isinstance(result, pingala.PingalaError), edge["id"]
        else:
            assert result == number(edge["expected"]), edge["id"]
