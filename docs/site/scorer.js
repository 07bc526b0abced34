// How the search of the site orders what it finds: guides and references, then pages for contributors, then records, papers and the changelog.

const LATE = [
  [/^(contributing\/|kernels$|testing$)/, 100],
  [/^(changelog$|records\/|papers\/|counting$|arm-counts$|windows$)/, 200]
]

// The names of the search's own script.
var Scorer = { // eslint-disable-line no-var, no-unused-vars
  score ([page, title, , , score]) {
    const late = LATE.find(([pages]) => pages.test(page))?.[1] ?? 0
    // A word that is the title of a page means this page.
    const asked = new URLSearchParams(globalThis.location?.search).get('q')?.trim().toLowerCase()
    return asked === title.toLowerCase() ? score + 400 : score - late
  },
  objNameMatch: 30,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2
}
