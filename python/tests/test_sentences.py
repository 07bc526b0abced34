"""No sentence of more than 40 words in the pages that everybody reads first, nor in the first paragraph of any page."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
MOST_WORDS = 40
WHOLE = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/tour.md", "docs/install.md"]
PAGES = sorted(page.relative_to(TOP).as_posix() for page in (TOP / "docs").rglob("*.md"))


def paragraphs(text: str) -> Iterator[str]:
    """Paragraphs and list items, each on one line, without headings, tables, pictures and code."""
    text = re.sub(r"^(`{3,}|:{3,}).*?^\1\s*$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(?:#| {4}|!\[|\|).*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^ *(?:[-*]|\d+\.) ", "\n", text, flags=re.MULTILINE)
    return (" ".join(paragraph.split()) for paragraph in re.split(r"\n\s*\n", text) if paragraph.strip())


def long_sentences(paragraph: str) -> list[str]:
    sentences = re.split(r'(?<=[.!?])(?:\*\*|[)"])?\s', paragraph)
    return [sentence for sentence in sentences if len(sentence.split()) > MOST_WORDS]


@pytest.mark.parametrize("page", WHOLE)
def test_no_sentence_is_long(page: str) -> None:
    assert [found for paragraph in paragraphs((TOP / page).read_text()) for found in long_sentences(paragraph)] == []


@pytest.mark.parametrize("page", PAGES)
def test_no_sentence_of_the_first_paragraph_is_long(page: str) -> None:
    first = next(paragraphs((TOP / page).read_text()), "")
    assert long_sentences(first) == []


def test_a_long_sentence_is_found() -> None:
    sentence = " ".join(["word"] * MOST_WORDS)
    skipped = f"# Title\n\n| a table |\n\n```sh\n{sentence} more\n```\n\n{sentence}. One.\n"
    planted = f"{skipped}{sentence}\nmore.\n\n- {sentence}\n- {sentence}"
    assert [found for paragraph in paragraphs(planted) for found in long_sentences(paragraph)] == [f"{sentence} more."]
