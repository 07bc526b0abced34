"""Sphinx: the pages that `tools/docs` collects in target/docs/source."""

import importlib.metadata
from typing import Any

project = "Pingala"
author = "The Pingala developers"
project_copyright = "The Pingala developers, MIT or Apache-2.0"
version = release = importlib.metadata.version("pingala")

extensions = ["myst_parser", "sphinx.ext.intersphinx", "sphinx_design"]
myst_enable_extensions = ["deflist", "attrs_inline", "colon_fence"]
myst_heading_anchors = 3
# A small inventory that is made from a list: the build fetches nothing.
intersphinx_mapping = {"python": ("https://docs.python.org/3", "python.inv")}
nitpicky = True
# Arrow's PyCapsule interface names methods, and no classes; a parameter of a type has no page.
nitpick_ignore = [("py:class", "SupportsArrowArray"), ("py:class", "SupportsArrowStream"), ("py:class", "_T")]
# Markdown tables start at the margin of the text, and pages of records may skip a level.
suppress_warnings: list[str] = []

html_theme = "furo"
html_title = "Pingala"
html_static_path = ["_static"]
html_css_files = ["pingala.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options: dict[str, Any] = {"navigation_with_keys": True}
maximum_signature_line_length = 60
# The names of languages that pages use for output and formats that no lexer knows.
highlight_language = "text"
