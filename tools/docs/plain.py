"""Plain text as Markdown."""

import re


def escaped(text: str) -> str:
    """What Markdown would read as markup, escaped; code in backticks stays code."""
    parts = re.split(r"(``.+?``|`[^`\n]+`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_\[\]<>|#$])", r"\\\1", part) for part in parts)
