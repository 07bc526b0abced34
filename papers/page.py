"""The record as one HTML page that needs nothing else: no script, no font, no image from elsewhere."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from html import escape
from typing import Any

from . import plots
from .catalogue import TITLES
from .paper import FAILS, HOLDS, OPEN, Claim, Paper, Table

# Heads of the table of claims, in the order of a claim's fields.
HEADS = ("where", "claim", "our figure", "holds if", "verdict")
_MARKS = {HOLDS: "holds", FAILS: "fails", OPEN: "open"}

_STYLE = """
:root{color-scheme:light dark;--ink:#1c1c1c;--soft:#5c5c5c;--paper:#fdfdfb;--card:#fff;--rule:#dcdcd6;
--holds:#1e6b33;--fails:#a3281c;--open:#6b5a10}
@media (prefers-color-scheme:dark){:root{--ink:#e6e6e3;--soft:#a9a9a4;--paper:#161614;--card:#1f1f1d;--rule:#3a3a37;
--holds:#7fd197;--fails:#ff9c8f;--open:#dcc566}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:68rem;padding:1rem;background:var(--paper);color:var(--ink);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.3rem;line-height:1.25;margin:2.8rem 0 .3rem;border-top:2px solid var(--rule);padding-top:1.2rem}
h3{font-size:1.05rem;margin:1.6rem 0 .4rem}
a{color:inherit}
nav{display:flex;flex-wrap:wrap;gap:.3rem .9rem;margin:.6rem 0}
.soft{color:var(--soft);font-size:.9rem}
h4{font-size:.95rem;margin:1.2rem 0 .2rem}
.wide{overflow-x:auto;margin:.4rem 0 1rem}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.28rem .6rem;border-bottom:1px solid var(--rule);text-align:right;vertical-align:top}
.words,th:first-child,td:first-child,.claims th,.claims td{text-align:left}
thead th{border-bottom:2px solid var(--rule);vertical-align:bottom}
td{white-space:nowrap}.claims td,.summary td{white-space:normal}
td.words{white-space:normal;min-width:8rem;overflow-wrap:anywhere}
.claims td{min-width:7rem}
.claims td:last-child{white-space:nowrap;min-width:0}
code{font:.92em ui-monospace,monospace}
.holds{color:var(--holds)}.fails{color:var(--fails)}.open{color:var(--open)}
.verdict{font-weight:600}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:1rem}
figure{margin:0;background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:.7rem}
figure svg{width:100%;height:auto;display:block}
figcaption{margin-bottom:.4rem;color:var(--ink);font-weight:600}
@media (max-width:40rem){
.claims thead{display:none}
.claims,.claims tbody,.claims tr,.claims td{display:block;width:100%}
.claims tr{border:1px solid var(--rule);border-radius:6px;background:var(--card);padding:.5rem .7rem;margin:.6rem 0}
.claims td{border:0;padding:.1rem 0;white-space:normal;min-width:0}
.claims td::before{content:attr(data-label) ": ";color:var(--soft)}
}
"""


def marked(text: str) -> str:
    """Escaped, with `code` and bare links marked up."""
    safe = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(text, quote=False))
    return re.sub(r"(https://[^\s<]+[^\s<.,;)])", r'<a href="\1">\1</a>', safe)


def html(record: Mapping[str, Any], papers: Mapping[str, Paper]) -> str:
    sections = [_section(number, record, paper) for number, paper in papers.items()]
    verdicts = {number: verdicts_of(record, number, paper) for number, paper in papers.items()}
    links = "".join(f'<a href="#paper-{number}">{number}</a>' for number in TITLES)
    rows = "".join(
        f'<tr><td><a href="#paper-{number}">{number} {escape(title)}</a></td>'
        + "".join(f'<td class="{_MARKS[v]}">{verdicts[number].count(v)}</td>' for v in _MARKS)
        + "</tr>"
        for number, title in TITLES.items()
    )
    heads = "".join(f'<th class="{mark}">{verdict}</th>' for verdict, mark in _MARKS.items())
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        '<link rel="icon" href="data:,"><title>Five papers, measured again</title>'
        f"<style>{_STYLE}{plots.STYLE}</style></head><body>\n"
        "<header><h1>Five papers, measured again</h1>"
        "<p>What five documents claimed about modular exponentiation, beside what this machine shows: their tables, "
        "their claims, and a verdict that is computed from the figures.</p>"
        f'<p class="soft">{marked(machine_line(record))}</p><nav>{links}</nav></header>\n<main>'
        f'<div class="wide"><table class="summary"><thead><tr><th>claims that</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>\n" + "\n".join(sections) + "</main></body></html>\n"
    )


def machine_line(record: Mapping[str, Any]) -> str:
    run = record["run"]
    return (
        f"Measured {run['date']} on {run['machine']}, {run['processors']} processors, {run['system']}; load at the "
        f"start {run['load']:.2f}; Pingala {run['pingala']} ({run['commit']}), Python {run['python']}."
    )


def verdicts_of(record: Mapping[str, Any], number: str, paper: Paper) -> list[str]:
    own = record["papers"].get(number, {}).get("record")
    return [claim.verdict for claim in paper.claims(own)] if own else []


def why_not_measured(record: Mapping[str, Any], number: str) -> str | None:
    """A sentence where there is nothing to show."""
    entry = record["papers"].get(number)
    if entry is None:
        return "Not measured in this run."
    return f"Not measured: {entry['not_measured']}" if "not_measured" in entry else None


def entry_line(record: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    """The date and the state of the machine of a measurement, and the machine if it is not the page's."""
    line = (
        f"Measured {entry['date']} in {entry['seconds']:.0f} s, {entry['rounds']} rounds; "
        f"load {entry['load'][0]:.2f} before and {entry['load'][1]:.2f} after."
    )
    run = entry.get("run", record["run"])
    if all(run[key] == record["run"][key] for key in ("machine", "commit")):
        return line
    return f"{line} On {run['machine']}, Pingala {run['pingala']} ({run['commit']})."


def _section(number: str, record: Mapping[str, Any], paper: Paper) -> str:
    parts = [
        f'<section id="paper-{number}"><h2>{number} {escape(TITLES[number])}</h2>',
        f'<p class="soft">{marked(paper.SOURCE)}</p><p>{marked(paper.SUMMARY)}</p>',
    ]
    if missing := why_not_measured(record, number):
        return "".join([*parts, f"<p><strong>{marked(missing)}</strong></p></section>"])
    entry = record["papers"][number]
    own = entry["record"]
    parts.append(f'<p class="soft">{escape(entry_line(record, entry))}</p>')
    parts.extend(f"<p><strong>Left out:</strong> {marked(sentence)}</p>" for sentence in own.get("left_out", []))
    parts.append("<h3>Claims</h3>" + _claims(paper.claims(own)))
    parts.append("<h3>Tables</h3>" + "".join(_table(table) for table in paper.tables(own)))
    figures = "".join(
        f"<figure><figcaption>{escape(plot.title)}</figcaption>{plots.svg(plot)}</figure>" for plot in paper.plots(own)
    )
    if figures:
        parts.append(f'<h3>Plots</h3><div class="plots">{figures}</div>')
    return "".join(parts) + "</section>"


def _claims(claims: Sequence[Claim]) -> str:
    def cell(head: str, text: str, claim: Claim) -> str:
        kind = f' class="verdict {_MARKS[claim.verdict]}"' if head == "verdict" else ""
        return f'<td data-label="{head}"{kind}>{marked(text)}</td>'

    rows = [[cell(head, text, claim) for head, text in zip(HEADS, astuple(claim), strict=True)] for claim in claims]
    heads = "".join(f"<th>{head}</th>" for head in HEADS)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<div class="wide"><table class="claims"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'


def _table(table: Table) -> str:
    kinds = [' class="words"' if words else "" for words in table.in_words]
    heads = "".join(f"<th{kind}>{marked(column)}</th>" for kind, column in zip(kinds, table.columns, strict=True))
    rows = "".join(
        "<tr>" + "".join(f"<td{kind}>{marked(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>"
        for row in table.rows
    )
    note = f'<p class="soft">{marked(table.note)}</p>' if table.note else ""
    return (
        f'<h4>{marked(table.title)}</h4><div class="wide"><table><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{note}"
    )
