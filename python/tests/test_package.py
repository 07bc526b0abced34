"""The package: names, types, documents."""

import doctest
import importlib.metadata
import inspect
import subprocess
import sys

import pytest

import pingala


def test_version():
    assert pingala.__version__ == importlib.metadata.version("pingala")


def test_names():
    assert sorted(pingala.__all__) == pingala.__all__
    public = {name for name, value in vars(pingala).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert public | {"__version__"} == set(pingala.__all__)


@pytest.mark.parametrize("name", [name for name in pingala.__all__ if name != "__version__"])
def test_everything_is_documented(name):
    value = getattr(pingala, name)
    assert value.__doc__
    assert inspect.getmodule(value) is not None
    if callable(value) and not inspect.isclass(value):
        assert inspect.signature(value)
        assert "Raises" in value.__doc__


def test_every_error_has_its_code():
    errors = [value for value in vars(pingala).values() if inspect.isclass(value) and issubclass(value, Exception)]
    assert len({error.code for error in errors}) == len(errors)
    for error in errors:
        assert issubclass(error, TypeError if error is pingala.ElementTypeError else pingala.PingalaError)


def test_examples():
    assert doctest.testmod(pingala).attempted >= 4
    assert doctest.testmod(pingala).failed == 0


@pytest.mark.parametrize(
    "command",
    [
        ["mypy.stubtest", "pingala"],
        ["mypy", "--strict", "-p", "pingala"],
    ],
    ids=lambda command: command[0],
)
def test_types(command, tmp_path):
    child = subprocess.run(
        [sys.executable, "-m", *command], cwd=tmp_path, capture_output=True, text=True, env=None, check=False
    )
    assert child.returncode == 0, child.stdout + child.stderr


USES = """
from typing import assert_type
import pingala
from pingala import ElementTypeError, Modulus, PingalaError

assert_type(pingala.powmod(2, 3, 5), int)
assert_type(pingala.powmod(True, 3, Modulus(5), plan=None), int)
assert_type(pingala.powmod_list([1], 2, (3 for _ in "x")), list[int])
assert_type(pingala.powmod_list([1], 2, 3, errors="return"), list[int | PingalaError | ElementTypeError])
assert_type(pingala.powmod_exp_list(1, range(3), 3, progress=lambda done, total: print(done / total)), list[int])
assert_type(pingala.explain(1, 2, 3), pingala.Explanation)
assert_type(pingala.explain(modulus_bits=1, exponent_bits=2).parts[0].candidates[0].seconds, float)
assert_type(Modulus(15, {3: 1, 5: 1}).pow(2, 3), int)
pingala.powmod(2.0, 3, 5)  # type: ignore[arg-type]
pingala.powmod(2, "3", 5)  # type: ignore[arg-type]
pingala.powmod_list([1.0], 2, 3)  # type: ignore[list-item]
pingala.powmod_list([1], 2, 3, errors="ignore")  # type: ignore[call-overload]
pingala.explain(modulus_bits=1)  # type: ignore[call-overload]
"""


def test_a_typed_user(tmp_path):
    (tmp_path / "uses.py").write_text(USES)
    child = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--warn-unused-ignores", str(tmp_path / "uses.py")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert child.returncode == 0, child.stdout + child.stderr
