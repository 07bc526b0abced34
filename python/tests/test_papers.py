"""The report on the papers: their formulas, verdicts that follow the figures, and a page that a browser opens."""

import copy
import html
import importlib
import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LAB = ROOT / "crates/pingala-lab"
KEPT = ROOT / "papers"

# Neither folder is a package that is installed.
sys.path[:0] = [str(ROOT), str(LAB)]
catalogue = importlib.import_module("papers.catalogue")
chains = importlib.import_module("papers.chains")
main = importlib.import_module("papers.__main__")
page = importlib.import_module("papers.page")
paper_000 = importlib.import_module("papers.paper_000")
paper_003 = importlib.import_module("papers.paper_003")
plain = importlib.import_module("papers.plain")
plots = importlib.import_module("papers.plots")
report = importlib.import_module("papers.report")
interface = importlib.import_module("papers.paper")
windows = importlib.import_module("papers.windows")

PAPERS = catalogue.papers()


@pytest.fixture(scope="module")
def record():
    return json.loads((KEPT / "papers.json").read_text())


# --- formulas and methods -----------------------------------------------------------------------------------------


def test_the_formulas_give_table_1_as_printed_and_table_2_shifted_by_one():
    last = paper_000.LAST
    assert tuple(windows.intervals(windows.m_ary_cost, last)) == paper_000.TABLE_I
    ours = windows.intervals(windows.sliding_window_cost, last)
    printed = paper_000.TABLE_II
    assert [(first, end) for first, end, _ in ours[2:]] == [(first, end) for first, end, _ in printed[2:]]
    assert [m + 1 for _, _, m in ours[2:]] == [m for _, _, m in printed[2:]]
    assert windows.not_minimal(paper_000.TABLE_I, windows.m_ary_cost, last) == []
    wrong = windows.not_minimal(printed, windows.sliding_window_cost, last)
    assert wrong == [k for k in range(1, last + 1) if not 6 <= k <= 20]
    # By hand: T(8, 2) = 2 + 6 + (3/4) 3 and T'(24, 3) = 4 + 24 + 6.
    assert windows.m_ary_cost(8, 2) == 10.25
    assert windows.sliding_window_cost(24, 3) == 34


def test_without_the_square_of_the_base_windows_of_one_bit_are_best_to_12():
    def cost(k, m):
        return windows.sliding_window_cost(k, m) - (m == 1)

    best = [k for k in range(1, 1000) if cost(k, 1) <= min(cost(k, m) for m in range(2, 12))]
    assert best == list(range(1, 13))


def algorithm_3(g, e, n, m):
    """The paper's, line by line; none where line 13 finds no window."""
    bits = [e >> i & 1 for i in range(e.bit_length())]
    powers = {1: g % n}
    for i in range(1, 1 << (m - 1)):
        powers[2 * i + 1] = powers[2 * i - 1] * g * g % n
    a, i = 1, len(bits) - 1
    while i >= 0:
        if bits[i] == 0:
            a, i = a * a % n, i - 1
        ends = [at for at in range(max(i - m + 1, 0), i + 1) if bits[at] == 1]
        if not ends:
            return None
        window = sum(bits[at] << (at - ends[0]) for at in range(ends[0], i + 1))
        # A window that starts with zeros is looked for among g_1, g_3, ... by its value.
        for _ in range(i - ends[0] + 1):
            a = a * a % n
        a, i = a * powers[window] % n, ends[0] - 1
    return a


def test_algorithm_3_of_the_first_paper_fails_where_only_zeros_are_left():
    assert algorithm_3(3, 12, 1009, 2) is None
    assert algorithm_3(3, 13, 1009, 2) == pow(3, 13, 1009)
    found = [algorithm_3(3, e, 1009, 2) for e in range(1, 256)]
    assert all(power in (None, pow(3, e, 1009)) for e, power in enumerate(found, 1))
    assert 0 < found.count(None) < len(found)


def test_gmp_s_thresholds_are_the_formula_for_one_bit_less():
    thresholds = [7, 25, 81, 241, 673, 1793, 4609, 11521, 28161]
    for k in range(2, 3000):
        cost = [windows.sliding_window_cost(k - 1, m) for m in range(1, 12)]
        assert sum(k > threshold for threshold in thresholds) == cost.index(min(cost))


def test_the_methods_in_plain_python_are_pow_and_take_the_products_they_should():
    rng = random.Random(5)
    for bits in (1, 2, 17, 300):
        e = rng.getrandbits(bits) | 1 << (bits - 1)
        g, n = rng.getrandbits(200), rng.getrandbits(200) | 1 << 199
        weight = e.bit_count()
        for name, method in plain.METHODS.items():
            for window in [()] if name.startswith("binary") else [(1,), (2,), (3,), (6,)]:
                assert method(g, e, n, *window) == pow(g, e, n), (name, window, e)
        assert plain.products("binary_left_to_right", e) == bits - 1 + weight - 1
        assert plain.products("binary_right_to_left", e) == bits - 1 + weight - 1
        assert plain.products("m_ary", e, 1) == bits - 1 + weight - 1
        for base in (2, 10, 1 << 50):
            digits = plain.digits_of(e, base)
            table = plain.table_in_turn(g, n, base, len(digits))
            assert table == plain.table_one_by_one(g, n, base, range(len(digits)))
            assert plain.fixed_base_euclidean(table, digits, n) == pow(g, e, n)
            if base <= 10:
                assert plain.fixed_base_window(table, digits, n, base) == pow(g, e, n)
    # The worst case of Algorithm 8, t + h - 2.
    counted = plain.Counted()
    plain.fixed_base_window([counted] * 2001, [9] * 2001, 2, 10)
    assert counted.products == 2000 + 10 - 2


def test_chains_of_the_command_agree_with_plain_python_s_products(record):
    rows = record["papers"]["004"]["record"]["chapter_3"]["chains"]
    for label, e in importlib.import_module("papers.paper_004").CHAIN_TARGETS.items():
        lengths = rows[label]["lengths"]
        assert rows[label]["wrong"] == 0
        assert lengths["binary_left_to_right"] == plain.products("binary_left_to_right", e)
        # A chain has each element once, so a window's may be shorter than what is executed.
        for window in (4, 5):
            assert lengths[f"sliding_window(w={window})"] <= plain.products("sliding_window", e, window)


def test_chains_are_checked():
    assert chains.defects([1, 2, 3, 5, 10, 13]) == 0
    assert chains.defects([1, 3, 4, 9]) == 2
    assert chains.wrong_pairs([1, 2, 3], [(0, 0), (0, 1)]) == 0
    assert chains.wrong_pairs([1, 2, 3], [(0, 0), (0, 2)]) == 1
    assert chains.wrong_pairs([1, 2, 3], [(0, 0)]) == 1
    # A003313.
    assert bytes(map(chains.shortest_length, range(1, 20))).hex() == "00010202030304030404050405050504050506"


# --- verdicts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "verdict"),
    [(None, "cannot be judged"), (float("nan"), "cannot be judged"), (1.99, "does not hold"), (2.0, "holds"),
     (3.0, "holds"), (3.01, "does not hold")],
)  # fmt: skip
def test_a_verdict_is_a_comparison(value, verdict):
    assert interface.judged("here", "it", value, "what", low=2, high=3).verdict == verdict


# The longest length that a record has.
LONGEST = object()
# The place of a figure in a record, its new value, and the claim that it reverses.
ALTERED = [
    ("000", ("cpython", "ratio_to_pow", "4096", "Adaptive sliding window"), [0.94, 0.95, 0.96], "5% of CPython"),
    ("000", ("minimisers", "II"), paper_000.TABLE_II, "minimisers of T'"),
    ("001", ("lengths", LONGEST, "table_bytes"), 8 * 2_000_000, "takes 8 MB"),
    ("001", ("lengths", "20000", "nanoseconds", "Pingala, 8 exponents"), 10**9, "more than four exponents"),
    ("002", ("results", "powers_expr"), "1", "compute the same power"),
    ("002", ("microseconds", "_modexp_mpexpr"), 1000.0, "With mpexpr inside"),
    (
        "003",
        ("processors", "StrongARM SA-1100", "loads", "1", "products", "1024", "kcm", "microjoule"),
        28.0,
        "other techniques; taken against CIOS",
    ),
    ("003", ("memory_machine", 0, "difference", "reads"), 1, "that Koç, Acar and Kaliski publish"),
    ("004", ("fixed", "nanoseconds", "Fixed Base Window, t = 2000"), 1.0, "is 3 times as fast"),
    # 1,500 times what a power by the window saves.
    (
        "004",
        ("fixed", "precomputation", "in turn"),
        lambda paper: (
            1500
            * (
                paper["fixed"]["nanoseconds"]["Left-to-Right Binary"]
                - paper["fixed"]["nanoseconds"]["Fixed Base Window, t = 2000"]
            )
        ),
        "about 1520 exponentiations",
    ),
    ("004", ("fixed", "precomputation", "one by one"), 1.0, "is a power of the base by itself"),
    ("004", ("chapter_3", "section 3.2"), 1, "Both chains for 13"),
    (
        "004",
        ("libraries",),
        [{"name": "", "version": "", "in_2004": "", "method": "", "shared": "-", "source": ""}],
        "all use general purpose",
    ),
]


@pytest.mark.parametrize(("number", "path", "value", "text"), ALTERED, ids=[row[3] for row in ALTERED])
def test_an_altered_figure_changes_a_verdict(record, number, path, value, text):
    entry = record["papers"][number]
    if "record" not in entry:
        pytest.skip(f"the kept record has no paper {number}: {entry['not_measured']}")
    altered = copy.deepcopy(record)
    place = altered["papers"][number]["record"]
    for key in path[:-1]:
        place = place[max(place, key=int) if key is LONGEST else key]
    place[path[-1]] = value(altered["papers"][number]["record"]) if callable(value) else value

    def verdict(of):
        claims = PAPERS[number].claims(of["papers"][number]["record"])
        (claim,) = [claim for claim in claims if text in claim.text]
        return claim.verdict

    assert verdict(altered) != verdict(record)
    assert page.html(altered, PAPERS) != page.html(record, PAPERS)


def test_a_peer_that_is_missing_is_said_and_not_judged(record, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    measured = {}
    main.measure(["002"], interface.Budget(rounds=1), measured)
    assert "tclsh" in measured["papers"]["002"]["not_measured"]
    assert "Not measured: there is no" in page.html(measured, PAPERS)

    without = copy.deepcopy(record["papers"]["000"]["record"])
    without.pop("pypy", None)
    claims = [claim for claim in PAPERS["000"].claims(without) if "PyPy" in claim.text]
    assert {claim.verdict for claim in claims} == {"cannot be judged"}


# --- the report and the page --------------------------------------------------------------------------------------


def test_the_kept_report_is_what_its_record_says(record):
    for name, text in report.pages(record, PAPERS, KEPT).items():
        assert (KEPT / name).read_text() == text, f"{name}: see papers/README.md"
    images = {
        f"{plot.name}.svg": plots.svg(plot, standalone=True) + "\n"
        for number, paper in PAPERS.items()
        if "record" in record["papers"].get(number, {})
        for plot in paper.plots(record["papers"][number]["record"])
    }
    assert {path.name: path.read_text() for path in (KEPT / "figures").glob("*.svg")} == images


def test_an_altered_figure_changes_the_pages_and_a_page_without_marks_is_refused(record, tmp_path):
    altered = copy.deepcopy(record)
    altered["papers"]["000"]["record"].pop("pypy", None)
    kept, changed = (report.pages(figures, PAPERS, KEPT) for figures in (record, altered))
    assert {name for name in kept if kept[name] != changed[name]} == {"README.md", "000.md"}
    for name in kept:
        (tmp_path / name).write_text("# A page\n")
    with pytest.raises(ValueError, match=re.escape(report.BEGIN)):
        report.pages(record, PAPERS, tmp_path)


def test_the_kept_report_has_the_arm_counts_that_are_checked_in(record):
    assert record["papers"]["003"]["record"]["arm"] == paper_003.arm_rows(json.loads(paper_003.ARM.read_text()))


def test_the_page_on_paper_003_has_the_figures_of_the_record(record):
    text = " ".join((KEPT / "003.md").read_text().split())
    loads = record["papers"]["003"]["record"]["processors"]["StrongARM SA-1100"]["loads"]
    energies = [
        {name: made["microjoule"] for name, made in loads[cycles]["products"]["1024"].items()} for cycles in "12"
    ]
    names = {"sos": "SOS", "cios": "CIOS", "fios": "FIOS", "fips": "FIPS", "cihs": "CIHS",
             "separated_comba": "Comba, then Montgomery"}  # fmt: skip
    for name, called in names.items():
        cells = [called]
        for energy in energies:
            saved = [100 * (1 - energy[ours] / energy[name]) for ours in ("kcm", "karatsuba_comba")]
            cells += [f"{energy[name]:.2f}", *(f"{part:.1f}" for part in saved)]
        assert f"| {' | '.join(cells)} |" in text
    for ours, other, called in [
        ("kcm", "cios", "KCM below CIOS"),
        ("kcm", "sos", "below SOS"),
        ("kcm", "fips", "below FIPS"),
        ("kcm", "separated_comba", "below separated Comba"),
        ("karatsuba_comba", "fips", "Karatsuba-Comba below FIPS"),
    ]:
        fast, slow = (
            next(made["stays_from_bits"] for made in loads[cycles]["crossovers"]
                 if (made["of"], made["against"]) == (ours, other))
            for cycles in "12"
        )  # fmt: skip
        assert f"{called} from {fast} ({slow})" in text
    turning = record["papers"]["003"]["record"]["turns"]["StrongARM SA-1100"]["1"]
    cios, fips = (
        round(100 * (1 - turning["microjoule"]["kcm"] / turning["microjoule"][name])) for name in ("cios", "fips")
    )
    assert f"With {turning['cycles']} cycles for each turn" in text
    assert f"KCM saves {cios}% against CIOS and {fips}% against FIPS, because" in text
    cortex = record["papers"]["003"]["record"]["processors"]["Cortex-M4-like"]["loads"]["2"]["products"]["1024"]
    cios, fips = (
        round(100 * (1 - cortex["kcm"]["microjoule"] / cortex[name]["microjoule"])) for name in ("cios", "fips")
    )
    assert f"{cios}% against CIOS, {fips}% against FIPS; " in text
    power = {name: made["millijoule"] for name, made in loads["1"]["powers"]["1024"].items()}
    kcm, fips, karatsuba = (
        round(100 * (1 - power[name] / power["cios"])) for name in ("kcm", "fips", "karatsuba_comba")
    )
    assert f"KCM saves {kcm}% against CIOS, FIPS {fips}%, Karatsuba-Comba {karatsuba}%" in text


def opened(path, tmp_path, *options):
    """The page as a browser has it, and what its console said."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("there is no Chromium (Debian: chromium)")
    child = subprocess.run(
        [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         f"--user-data-dir={tmp_path / 'profile'}", "--enable-logging=stderr", "--virtual-time-budget=2000",
         *options, "--dump-dom", path.as_uri()],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return child.stdout, [line for line in child.stderr.splitlines() if "CONSOLE" in line]


def test_a_browser_opens_the_page_and_finds_every_section(record, tmp_path):
    main.render(record, tmp_path)
    dom, console = opened(tmp_path / "papers.html", tmp_path)
    assert console == []
    for number, title in catalogue.TITLES.items():
        assert f'<section id="paper-{number}">' in dom
        assert title in dom
    for number, paper in PAPERS.items():
        if "record" in record["papers"].get(number, {}):
            own = record["papers"][number]["record"]
            section = dom[dom.index(f'id="paper-{number}"') :].partition("</section>")[0]
            assert section.count("<figure>") == len(paper.plots(own)) > 0
            assert section.count("<h4>") == len(paper.tables(own)) > 0
            assert section.count('data-label="verdict"') == len(paper.claims(own)) > 0
    for name in ("FourfoldExponent", "math::bignum", "Euclidean", "Adaptive sliding window", "KCM"):
        assert name in dom
    # A fault in a page would have been heard.
    broken = tmp_path / "broken.html"
    broken.write_text("<script>nonsense()</script>")
    assert opened(broken, tmp_path)[1] != []


FRAME = """<!doctype html><title></title><body><iframe style="width:360px;height:800px;border:0" srcdoc="{}"></iframe>
<script>document.querySelector("iframe").onload = event => {{
    const inner = event.target.contentDocument, colour = getComputedStyle(inner.body).backgroundColor;
    document.title = JSON.stringify([inner.documentElement.scrollWidth, ...colour.match(/\\d+/g).map(Number)]);
}}</script>"""


def on_a_phone(text, tmp_path, *options):
    """How wide a page is in a window of 360 pixels, and the red, green and blue of its ground."""
    framed = tmp_path / "framed.html"
    framed.write_text(FRAME.format(html.escape(text)))
    dom, _ = opened(framed, tmp_path, *options)
    width, *ground = json.loads(re.search("<title>(.*?)</title>", dom)[1])
    return width, ground


def test_the_page_fits_a_phone_and_goes_dark(record, tmp_path):
    text = page.html(record, PAPERS)
    width, ground = on_a_phone(text, tmp_path)
    assert width <= 360
    assert min(ground) > 200
    width, ground = on_a_phone(text, tmp_path, "--force-dark-mode")
    assert width <= 360
    assert max(ground) < 60
    # A wide table that does not scroll is found.
    assert on_a_phone(text.replace("<main>", '<main><p style="width:700px">wide</p>', 1), tmp_path)[0] > 360


def test_the_page_needs_nothing_else(record):
    text = page.html(record, PAPERS)
    assert "<script" not in text
    assert re.findall(r"""(?:src|srcset|xlink:href)=|url\(|@import|<link(?! rel="icon" href="data:,">)""", text) == []
    assert set(re.findall(r'<(\w+)[^>]* href="https?:', text)) <= {"a"}
    assert "prefers-color-scheme:dark" in text
    assert 'name="viewport"' in text
