"""The class FixedBase."""

import os
import pickle
import subprocess
import sys
import threading

import pytest

import pingala
from drawing import drawn, outcome
from pingala import FixedBase, Modulus

N = drawn("n", 2048) | 1 << 2047 | 1


def exponents(bits):
    return [0, 1, 2, 3, 2**bits - 1, 2 ** (bits - 1), drawn("e", bits), drawn("f", bits // 2), drawn("g", bits)]


@pytest.mark.parametrize("modulus", [N, N << 64, 1 << 200, 1, 2, 3, 15, 2**61 - 1, N >> 1000 | 1])
@pytest.mark.parametrize("base", [0, 1, 2, -3, 5, drawn("b", 2100)])
def test_powers_agree_with_pow(modulus, base):
    table = FixedBase(base, modulus, 300)
    assert table.table_bytes <= 262144
    both = exponents(300) + [-e for e in exponents(300)]
    for exponent in both:
        assert outcome(table.pow, exponent) == outcome(pow, base, exponent, modulus)
    good = exponents(300)
    assert table.pow_list(good) == [pow(base, e, modulus) for e in good]


def test_attributes():
    table = FixedBase(3, Modulus(N), exponent_bits=256, memory=2**16, uses=100)
    assert (table.base, table.modulus, table.exponent_bits) == (3, N, 256)
    assert 0 < table.table_bytes <= 2**16
    assert table.entries > 1
    assert table.notes == []
    assert table.explain().plan == table.plan
    assert "2048 bits" in repr(table)
    again = FixedBase(3, N, 256, 2**16, plan=table.plan)
    assert again.plan == table.plan
    table.verify()


def test_a_table_is_explained_before_it_is_built():
    explained = pingala.explain_fixed_base(3, N, 256, 2**16, uses=100)
    table = FixedBase(3, N, 256, 2**16, uses=100, threads=1)
    assert explained == table.explain()
    assert explained.plan == table.plan
    assert explained.build_seconds > 0
    chosen = explained.parts[0].candidates[0]
    assert (chosen.chosen, chosen.entries, chosen.bytes) == (True, table.entries, table.table_bytes)
    assert all(candidate.bytes <= 2**16 for candidate in explained.parts[0].candidates)
    assert "comb(" in pingala.explain_fixed_base(3, Modulus(N), 256, plan="comb").plan
    with pytest.raises(pingala.ArgumentError, match=r"at least \d+ bytes"):
        pingala.explain_fixed_base(3, N, 256, 0)
    with pytest.raises(pingala.ArgumentError):
        FixedBase(3, N, 256, threads=0)


def test_lists_and_their_errors():
    table = FixedBase(3, 15, 64)
    assert table.pow_list([]) == []
    assert table.pow_list(iter([1, 2]), threads=1) == [3, 9]
    with pytest.raises(pingala.NotInvertibleError) as caught:
        table.pow_list([1, -1])
    assert caught.value.index == 1
    with pytest.raises(pingala.ElementTypeError) as caught:
        table.pow_list([1, 2, 0.5])
    assert caught.value.index == 2
    results = table.pow_list([1, 0.5, 2**64, 4], errors="return")
    assert results[0] == 3
    assert results[3] == 6
    assert isinstance(results[1], TypeError)
    assert isinstance(results[2], pingala.TooLongError)
    told = []
    table.pow_list(range(100), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (100, 100)
    for bad in ("12", b"12", 5):
        with pytest.raises(TypeError):
            table.pow_list(bad)
    for keywords in ({"errors": "no"}, {"threads": 0}):
        with pytest.raises(pingala.ArgumentError):
            table.pow_list([1], **keywords)


@pytest.mark.parametrize("lists", [False, True])
def test_lists_are_planned(lists):
    table = FixedBase(3, N, 256, 2**17, uses=100, lists=lists)
    assert ("in lists" in table.explain().problem) == lists
    exponents = [drawn(f"e{i}", 256) for i in range(17)]
    want = [pow(3, e, N) for e in exponents]
    line = table.plan_list(17)
    assert "batch(" in line
    assert table.pow_list(exponents) == table.pow_list(exponents, plan=line) == want
    kernel = table.plan.split(" on ")[1].split("(")[0]
    assert table.pow_list(exponents, kernel=kernel, threads=1) == want
    alone = FixedBase(3, N, 256, 2**17, uses=100, lists=lists, threads=1)
    assert alone.plan_list(17, kernel=kernel) == f"batch({table.plan} x 17)"
    for keywords in ({"kernel": "none"}, {"plan": "windowing(h=3)"}, {"plan": "batch(comb x 3)"}):
        with pytest.raises(pingala.PlanError):
            table.pow_list(exponents, **keywords)


@pytest.mark.parametrize("plan", ["euclidean", "comb", "windowing", "bit_powers"])
def test_a_bare_name_suits_every_part_of_a_modulus(plan):
    for modulus in (2 * N, 8 * N, N, 1 << 70):
        table = FixedBase(3, modulus, 300, 2**18, plan=plan)
        assert table.plan.count(plan) >= 1
        for exponent in (0, 1, drawn("e", 300)):
            assert table.pow(exponent) == pow(3, exponent, modulus)


def test_what_cannot_be_is_refused():
    for arguments, error in [
        ((3, 0, 10), pingala.ZeroModulusError),
        ((3, -5, 10), pingala.NegativeModulusError),
        ((3, N, 0), pingala.ArgumentError),
        ((3, N, 2**40), pingala.TooLongError),
        ((3, N, 2048, 100), pingala.ArgumentError),
        ((3, N, -1), pingala.ArgumentError),
        ((3, N, 2**70), pingala.TooLongError),
    ]:
        with pytest.raises(error):
            FixedBase(*arguments)
    with pytest.raises(pingala.PlanError):
        FixedBase(3, N, 100, plan="sliding_window(w=3)")
    with pytest.raises(pingala.ArgumentError):
        FixedBase(3, N, 100, uses=-1)
    with pytest.raises(pingala.ArgumentError):
        FixedBase(3, N, 100).plan_list(-1)
    with pytest.raises(TypeError):
        FixedBase(0.5, N, 100)
    with pytest.raises(pingala.TooLongError):
        FixedBase(3, N, 10).pow(1024)


@pytest.mark.parametrize("map", [False, True])
def test_files(tmp_path, map):
    path = tmp_path / "table"
    table = FixedBase(7, N, 512)
    table.save(path)
    loaded = FixedBase.load(path, base=7, modulus=N, map=map)
    assert loaded.plan == table.plan
    assert loaded.notes == []
    assert loaded.explain().chosen.startswith(f"Forced: {loaded.plan}, ")
    e = drawn("e", 512)
    assert loaded.pow(e) == pow(7, e, N)
    loaded.verify()
    assert [file.name for file in tmp_path.iterdir()] == ["table"]
    with pytest.raises(pingala.FileError, match="modulus"):
        FixedBase.load(path, modulus=N - 2)
    with pytest.raises(pingala.FileError, match="base"):
        FixedBase.load(str(path), base=8)
    with pytest.raises(pingala.FileError, match="cap"):
        FixedBase.load(path, max_bytes=10)
    with pytest.raises(pingala.FileError):
        FixedBase.load(tmp_path / "none")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(pingala.FileError, match="ordinary"):
        FixedBase.load(pipe, map=map)
    pipe.unlink()
    with pytest.raises(ValueError, match="bad file"):
        table.save(tmp_path / "no" / "folder")
    del loaded
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 3] ^= 4
    path.write_bytes(whole)
    with pytest.raises(pingala.FileError, match="SHA-256") as caught:
        FixedBase.load(path, map=map)
    assert caught.value.code == "bad_file"


def test_one_table_serves_many_threads():
    table = FixedBase(5, N, 700)
    good = [drawn(f"e{i}", 700) for i in range(40)]
    want = [pow(5, e, N) for e in good]
    got = {}

    def work(name):
        got[name] = [table.pow(e) for e in good]

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(powers == want for powers in got.values())


def test_pickles_hold_parameters_and_no_table():
    m = 2**521 - 1
    for table in (
        FixedBase(-3, m, 300, 1 << 14, uses=50, lists=True, threads=2),
        FixedBase(-3, Modulus(m), 300, 1 << 14, kernel="portable_r64"),
        FixedBase(6, 2**300 * 35, 64, 1 << 12, plan="comb(h=4, v=1)"),
    ):
        pickled = pickle.dumps(table)
        assert len(pickled) < 1000
        assert b"portable" not in pickled
        assert b"comb" not in pickled
        again = pickle.loads(pickled)
        assert (again.base, again.modulus, again.exponent_bits) == (table.base, table.modulus, table.exponent_bits)
        assert again.pow_list([0, 5, -1], errors="return")[:2] == table.pow_list([0, 5, -1], errors="return")[:2]
        assert again.__reduce__() == table.__reduce__()
    free = FixedBase(3, m, 300, 1 << 14)
    assert pickle.loads(pickle.dumps(FixedBase(3, m, 300, 1 << 14, kernel="portable_r64"))).plan == free.plan
    function, (_, parameters) = free.__reduce__()
    with pytest.raises(ValueError, match="version 7"):
        function(7, parameters)


def test_a_loaded_table_pickles(tmp_path):
    path = tmp_path / "table"
    table = FixedBase(3, 2**521 - 1, 300, 1 << 14)
    table.save(path)
    loaded = FixedBase.load(path)
    again = pickle.loads(pickle.dumps(loaded))
    assert again.pow(2**299) == table.pow(2**299)
    assert again.table_bytes <= loaded.table_bytes


def test_file_errors_are_os_errors(tmp_path):
    with pytest.raises(OSError, match="cannot read") as caught:
        FixedBase.load(tmp_path / "none")
    assert isinstance(caught.value, pingala.FileError)
    assert isinstance(caught.value, ValueError)
    assert str(tmp_path) in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.code) == (pingala.FileError, str(caught.value), "bad_file")


@pytest.mark.parametrize("cpu", ["", "-avx512f,-avxifma", "-avx512f,-avxifma,-fma"])
def test_a_saved_table_for_secrets_stays_one_on_every_cpu(tmp_path, cpu):
    program = f"""
import pingala
modulus = {drawn("m", 2048) | 1}
path = {str(tmp_path / "table")!r}
pingala.FixedBase(3, modulus, exponent_bits=256, secret=True).save(path)
for map in (False, True):
    loaded = pingala.FixedBase.load(path, map=map)
    assert loaded.pow_sec(2**255 + 5) == loaded.pow(2**255 + 5) == pow(3, 2**255 + 5, modulus)
"""
    subprocess.run([sys.executable, "-c", program], env=os.environ | {"PINGALA_CPU": cpu}, check=True)
