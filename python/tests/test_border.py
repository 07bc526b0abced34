"""border/ describes the bindings as they are: every call and option of a row exists; every public name has a row."""

import inspect
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import pingala

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import border  # noqa: E402
from border import declared  # noqa: E402
from border import names as public  # noqa: E402

BORDER = border.load()
COMMAND = Path(sysconfig.get_path("scripts")) / "pingala"


def python_names() -> set[str]:
    """Functions, classes and their public members."""
    found = {name for name in pingala.__all__ if not name.endswith("Error") and not name.startswith("__")}
    for owner in list(found):
        if inspect.isclass(getattr(pingala, owner)):
            found |= {f"{owner}.{name}" for name in vars(getattr(pingala, owner)) if not name.startswith("_")}
    return found


BINDINGS = {"python": python_names, **public.BINDINGS}


def test_what_is_generated_is_as_described():
    done = subprocess.run(
        [sys.executable, "-m", "border", "--check"], cwd=ROOT / "tools", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("binding", BINDINGS)
def test_every_call_of_a_row_exists(binding):
    found = BINDINGS[binding]()
    missing = {name for call in BORDER.calls for name in call.names(binding)} - found
    assert not missing, f"{binding} has none of these"


@pytest.mark.parametrize("binding", BINDINGS)
def test_every_public_name_has_a_row(binding):
    listed = {name for call in BORDER.calls for name in call.names(binding)} | public.apart(binding)
    without = {name for name in BINDINGS[binding]() if not public.covered(name, listed)}
    assert not without, f"border/calls.toml has no row of {binding} for these"


@pytest.mark.parametrize("binding", BINDINGS)
def test_what_is_apart_exists(binding):
    found = BINDINGS[binding]()
    owners = {name.partition(".")[0] for name in found}
    gone = {name for name in public.apart(binding) if name not in found and name.removesuffix(".*") not in owners}
    assert not gone, f"{binding} has none of these any more"


def test_every_command_of_a_row_exists():
    for call in BORDER.calls:
        for name in call.names("command"):
            words = [word for word in name.split() if not word.startswith("--")]
            options = [word for word in name.split() if word.startswith("--")]
            done = subprocess.run([COMMAND, *words, "--help"], capture_output=True, text=True)
            assert done.returncode == 0, name
            assert all(option in done.stdout for option in options), name


def test_every_option_exists():
    """Keywords of Python, what `public.options` finds elsewhere, and words of the command's help."""
    helps = "".join(
        subprocess.run([COMMAND, *words.split(), "--help"], capture_output=True, text=True).stdout
        for words in [
            "pow",
            "batch",
            "job run",
            "multi",
            "product",
            "verify",
            "prime random",
            "prime test",
            "table build",
            "square",
        ]
    )
    calls = [
        signature for call in BORDER.calls for name in call.names("python") if (signature := python_signature(name))
    ]
    declared_options = {
        **{binding: public.options(binding) for binding in ("c", "go", "java", "js", "tcl")},
        "python": {parameter for signature in calls for parameter in signature.parameters},
        "command": set(re.findall(r"--[a-z][a-z-]*", helps)),
    }
    for option in BORDER.options:
        for binding, found in declared_options.items():
            assert set(option.names(binding)) <= found, f"{binding} has not all of {option.names(binding)}"


@pytest.mark.parametrize("binding", ["js", "tcl"])
def test_a_call_takes_the_options_of_its_row_and_no_others(binding):
    """C, Go and Java have one set of options for all calls; Python's are compared below."""
    by_name = {name: option.name for option in BORDER.options for name in option.names(binding)}
    compared = 0
    for name, accepted in public.options_of_calls(binding).items():
        if name in ("modulus plan", "modulus explain"):  # those of the method that they explain
            continue
        rows = [call for call in BORDER.calls if name in ([call.name] if binding == "js" else call.names(binding))]
        wanted = {option for call in rows for option in call.options_in(binding) if option in by_name.values()}
        if name.startswith("modulus "):
            wanted -= {"max_modulus_bits"}  # the handle has it
        own = {by_name[one] for one in accepted if one in by_name}
        if binding == "js":
            own, wanted = own - {"threads", "max_exponent_bits"}, wanted - {"threads", "max_exponent_bits", "progress"}
        assert own == wanted, name
        compared += 1
    assert compared > 25


def test_every_option_of_the_library_has_a_row():
    listed = {name for option in BORDER.options for name in option.names("rust") if name.startswith("with_")}
    assert listed == public.library_options()


def python_signature(name: str) -> inspect.Signature | None:
    """What a call of Python reads; None for a class that has no constructor."""
    owner, _, member = name.partition(".")
    found = getattr(getattr(pingala, owner), member) if member else getattr(pingala, owner)
    if inspect.isclass(found) and "__new__" not in vars(found):
        return None
    return inspect.signature(found)


def test_python_reads_the_options_of_its_rows_and_no_others():
    by_name = {name: option.name for option in BORDER.options for name in option.names("python")}
    listed: dict[str, set[str]] = {}
    signatures, firsts = {}, set()
    for call in BORDER.calls:
        read = {name: signature for name in call.names("python") if (signature := python_signature(name))}
        signatures |= read
        firsts |= set(list(read)[:1])
        for name in read:
            listed[name] = listed.get(name, set()) | set(call.options_in("python"))
    compared = 0
    for name, options in listed.items():
        given = signatures[name].parameters.values()
        # An operand may have the name of an option, such as the memory of a table.
        keywords = {by_name[one.name] for one in given if one.kind is one.KEYWORD_ONLY and one.name in by_name}
        assert keywords <= options, f"border/calls.toml has not all options of {name}"
        # The first name is the call; what follows are its other forms.
        if name in firsts:
            missing = options - {by_name[one.name] for one in given if one.name in by_name}
            assert not missing, f"{name} does not read {missing}"
            compared += 1
    assert compared > 60


def default_text(parameter: inspect.Parameter) -> str | None:
    """A default as the stub writes it."""
    return None if parameter.default is parameter.empty else repr(parameter.default).replace("'", '"')


def test_every_default_of_the_stub_is_that_of_the_module():
    """`make border` writes the stub by the declarations of Rust: what it reads there is what the module has."""
    module = declared.module()
    functions = {name: one for name, one in module.functions.items() if name in module.public}
    for kept in module.classes.values():
        for one in kept.methods:
            if not one.name.startswith("_") and not one.marks & {"getter", "new"}:
                functions[f"{kept.name}.{one.name}"] = one
    compared = 0
    for name, one in functions.items():
        if name.startswith("_"):
            continue
        signature = python_signature(name)
        assert signature is not None, name
        given = [parameter for parameter in signature.parameters.values() if parameter.name != "self"]
        read = [(parameter.name, default_text(parameter)) for parameter in given]
        assert read == [(parameter.name, parameter.default) for parameter in one.parameters], name
        compared += 1
    assert compared > 80
