"""What five documents claimed, measured again: their tables beside ours, and a verdict on each claim from the numbers.

`make papers` runs `python -m papers` in the root of the repository; `python -m papers --help` lists the options.

A paper is one module, `paper_NNN.py`, with the members of `papers.paper.Paper`: who wrote it, and four functions.

    measure(budget) -> record      runs everything; the record is a dictionary that JSON can hold, of raw figures
    tables(record) -> [Table]      theirs beside ours
    claims(record) -> [Claim]      each made by `judged`, which compares a figure with bounds: no verdict by hand
    plots(record) -> [Lines|Bars]  drawn by `papers.plots`

The last three read nothing but the record, so a kept record can be rendered on another machine, and a changed figure
changes tables, verdicts and plots. What could not be measured (a peer that is not installed) is said in
`record["left_out"]`, a list of sentences; `claims` gives `judged` a figure of None then, and the verdict is that it
cannot be judged. Where a whole paper cannot be measured, `measure` raises `NotMeasuredError` with the reason.
`papers.catalogue` names the modules.

    catalogue   the papers in order
    paper       the interface
    plots       lines and bars as SVG
    page        the HTML page
    report      the figures of the Markdown pages
    __main__    measures, keeps the record, renders it
"""
