"""Sphinx: the pages that `tools/docs` collects in target/docs/source."""

import tomllib
from pathlib import Path
from typing import Any

_TOP = Path(__file__).resolve().parents[3]

project = "Pingala"
author = "The Pingala developers"
project_copyright = "The Pingala developers, MIT or Apache-2.0"
version = release = tomllib.loads((_TOP / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]

extensions = ["myst_parser", "sphinx.ext.intersphinx", "sphinx_design"]
myst_enable_extensions = ["deflist", "attrs_inline", "colon_fence", "substitution"]
myst_substitutions = {"version": version}
myst_heading_anchors = 3
myst_html_meta = {
    "description": "Pingala raises numbers to powers modulo a number, one or billions: for Python, Rust, C, Go, Java, "
    "JavaScript, Tcl and a shell. Fast, explained, MIT or Apache-2.0."
}
# A small inventory that is made from a list: the build fetches nothing.
intersphinx_mapping = {"python": ("https://docs.python.org/3", "python.inv")}
nitpicky = True
# Arrow's PyCapsule interface names methods, and no classes; a parameter of a type has no page.
nitpick_ignore = [("py:class", "SupportsArrowArray"), ("py:class", "SupportsArrowStream"), ("py:class", "_T")]
# Markdown tables start at the margin of the text, and pages of records may skip a level.
suppress_warnings: list[str] = []

html_theme = "furo"
html_title = f"Pingala {version}"
html_static_path = ["_static"]
html_css_files = ["pingala.css"]
html_js_files = ["copy.js"]
html_favicon = "favicon.svg"
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_copy_source = False
html_show_sphinx = False
html_theme_options: dict[str, Any] = {
    "navigation_with_keys": True,
    "light_css_variables": {"color-brand-primary": "#1f6f5c", "color-brand-content": "#1f6f5c"},
    "dark_css_variables": {"color-brand-primary": "#57bfa5", "color-brand-content": "#57bfa5"},
}
maximum_signature_line_length = 60
# The names of languages that pages use for output and formats that no lexer knows.
highlight_language = "text"


def _short_sidebar(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """The sidebar has the first level of pages only: the others are listed on the page above them."""
    from furo.navigation import get_navigation_tree

    if "toctree" in context:
        listed = context["toctree"](collapse=False, titles_only=True, maxdepth=1, includehidden=True)
        context["furo_navigation_tree"] = get_navigation_tree(listed)


def setup(app: Any) -> None:
    # After the theme, which has made the whole tree.
    app.connect("html-page-context", _short_sidebar, priority=900)
