"""What one binding offers, the others offer too, or the table here says why not; their pages name it."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def body(source: str, begin: str, end: str = "\n}") -> str:
    """The part of a source from a line to the end of what it begins."""
    return source.partition(begin)[2].partition(end)[0]


#: The options of the library: the setters of C, the fields of Go, the options of Tcl, the keywords of Python. A text
#: that begins with a dash says why there is none.
OPTIONS = {
    "kernel": ("kernel", "Kernel", "-kernel", "kernel"),
    "plan": ("plan", "Plan", "-plan", "plan"),
    "threads": ("threads", "Threads", "-threads", "threads"),
    "limits": ("limits", "ModulusBits ExponentBits", "- the defaults hold", "max_modulus_bits max_exponent_bits"),
    "memory_bytes": ("memory", "Memory", "-memory", "memory"),
    "deadline": ("timeout", "- the deadline of a context", "-timeout", "timeout"),
    "watch": ("watch", "Done", "- Tcl has one thread", "progress"),
    "public_exponent": ("public_exponent", "PublicExponent", "- no secrets", "public_exponent"),
    "blinding": ("blinding", "Unblinded", "- no secrets", "blinding"),
}
#: Options of a binding that are not of the library, or of no binding but this one.
OF_ONE = {
    "C": "width salt prime_rounds prime_residue",  # rows of memory; PSS; conditions on primes
    "Go": "Rounds",  # conditions on primes
    "Tcl": "-uses -factors -errors",
    # columns; signatures; secrets
    "Python": "errors width byteorder digests scheme hash mgf_hash encoding salt policy exponent_bits",
}


def offered() -> dict[str, set[str]]:
    """The options that stand in the description of each binding."""
    c = set(re.findall(r"pingala_options_set_(\w+)\(", text("crates/pingala-c/include/pingala.h")))
    go = re.sub(r"//.*", "", body(text("go/generated_options.go"), "type Options struct {"))
    python = text("crates/pingala-python/src/keywords.rs")
    objects, _, typed = body(python, "keywords! { $").partition(";")
    return {
        "C": {re.sub("_(be|limbs)$", "", name) for name in c},
        "Go": {name for line in go.splitlines() for name in re.findall(r"\b([A-Z]\w+)(?=,| )", line.split("*")[0])},
        "Tcl": set(re.findall(r'\{"(-\w+)"', text("tcl/settings.c"))),
        "Python": set(re.findall(r"\w+", objects)) | set(re.findall(r"^    (\w+):", typed, re.MULTILINE)),
    }


def test_every_binding_has_every_option() -> None:
    (options,) = (ROOT / "crates/pingala/src").rglob("options.rs")
    library = set(re.findall(r"\bwith_(\w+)\((?:self, )?\w+: ", options.read_text(encoding="utf-8")))
    assert library == set(OPTIONS), "an option of the library without a row, or a row without an option"
    for column, (binding, found) in enumerate(offered().items()):
        named = {name for row in OPTIONS.values() if not row[column].startswith("- ") for name in row[column].split()}
        assert found == named | set(OF_ONE[binding].split()), binding


def test_every_option_is_on_the_page_of_its_binding() -> None:
    pages = {
        "C": text("docs/c.md") + text("crates/pingala-c/include/pingala.h"),
        "Go": text("docs/go.md") + text("go/generated_options.go"),
        "Tcl": text("docs/tcl.md"),
        "Python": text("python/pingala/_pingala.pyi"),
    }
    for binding, found in offered().items():
        missing = [
            name for name in found if not re.search(rf"(?<![\w-])(?:pingala_options_set_)?{name}\b", pages[binding])
        ]
        assert not missing, f"{binding}: {missing}"


#: Lists and their plans: the functions of C (on a handle), of Go, the methods of Tcl, the functions of Python.
LISTS = {
    "powers": ("pow_list", "ExpList", "powm_list", "powmod_list"),
    "powers of one base": ("pow_exp_list", "ExpMany", "powm_exp_list", "powmod_exp_list"),
    "powers with one exponent": ("pow_base_list", "ExpBases", "powm_base_list", "powmod_base_list"),
    "inverses": ("invert_list", "Inverses", "invert_list", "invert_list"),
    "a product": ("pow_product", "Product", "product", "powmod_product"),
    "products": ("pow_product_list", "ProductList", "product_list", "powmod_product_list"),
    "the plan of a list": ("plan_list", "PlanList", "plan", "plan_list"),
    "the plan of products": ("plan_product_list", "PlanProductList", "plan", "plan_product_list"),
    "the reasons for it": ("explain_product_list", "ExplainProductList", "explain", "explain_product_list"),
}


def test_every_binding_and_its_page_have_every_list() -> None:
    symbols = text("crates/pingala-c/symbols.txt").split()
    go = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "go").glob("*.go") if "_test" not in path.name)
    methods = set(re.findall(r'\{"(\w+)", "', text("tcl/pingala.c")))
    stub = text("python/pingala/_pingala.pyi")
    # The page of the binding, and the one that lists the calls of all.
    pages = [text(f"docs/{name}.md") + text("docs/workloads.md") for name in ("c", "go", "tcl")]
    for what, (c, go_name, tcl, python) in LISTS.items():
        assert {f"pingala_modulus_{c}_be", f"pingala_modulus_{c}_limbs"} <= set(symbols), what
        assert re.search(rf"^func (\(m \*Modulus\) )?{go_name}\(", go, re.MULTILINE), what
        assert tcl in methods, what
        assert re.search(rf"def {python}\(", stub), what
        for name, page in zip((c, go_name, tcl), pages, strict=True):
            assert re.search(rf"(?:\b|_){name}\b|(?:\b|_){name}_be\b", page), f"{what}: {name}"
