"""All changes of a program at once, each behind a switch that one variable of the environment turns on.

`a + b` becomes `(if crate::m(17) {a - b} else if crate::m(18) {a * b} else {a + b})`, and a function begins with
`if crate::m(19) { return 0; }`. The texts behind the switches have no switches themselves, so that an operand is
written once for each operation around it and no more. A text is changed as cargo-mutants changes it: where another
operator binds otherwise, the whole chain of operators around it is written again.

What needs another way is `apart`: a condition with `let`, a function that returns `impl Trait` or a pointer, and what
the compiler takes in the changed program only.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tree_sitter
import tree_sitter_rust

PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))

#: How tightly operators bind; all comparisons alike, because a chain of them is no program.
PRECEDENCE = {
    operator: place
    for place, operators in enumerate(["* / %", "+ -", "<< >>", "&", "^", "|", "== != < > <= >=", "&&", "||"])
    for operator in operators.split()
}
#: What is computed by the compiler, at least where it stands in one of these.
CONSTANT = ("const_item", "static_item", "array_type", "const_block", "enum_variant", "type_arguments")

#: Errors that the change has by itself, not only behind a switch.
ITS_OWN = {
    *("E0061", "E0107", "E0277", "E0369", "E0423", "E0425", "E0433", "E0599", "E0600", "E0604", "E0605", "E0606"),
    *("arithmetic_overflow", "overflowing_literals", "unconditional_panic"),
}
SOURCE = "crates/pingala/src/"
#: A table that is a constant, made at run time behind switches.
TABLE = "kernel/registry.rs", b"KERNELS", b"pub const KERNELS: &[Entry] = &[", b"\n];\n"
LAZY = b"pub static KERNELS: std::sync::LazyLock<&[Entry]> = std::sync::LazyLock::new(|| Box::leak(Box::new(["

#: A switch is deprecated, so that the compiler tells of each that it has compiled; files for other machines it has not.
#: Bytes that are 1 where a run wants to know what it reaches, and 2 for the mutant: one comparison decides most.
MODULE = """
#[allow(unsafe_code, warnings)]
mod switches {
    use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

    static ON: [AtomicU8; COUNT] = [const { AtomicU8::new(0) }; COUNT];
    static REACHED: [AtomicU8; COUNT] = [const { AtomicU8::new(0) }; COUNT];

    #[deprecated]
    #[inline(always)]
    pub(crate) const fn m(n: usize) -> bool {
        const fn compiled(_: usize) -> bool {
            false
        }
        #[inline(always)]
        fn run(n: usize) -> bool {
            ON[n].load(Relaxed) != 0 && look(n)
        }
        core::intrinsics::const_eval_select((n,), compiled, run)
    }

    #[cold]
    #[inline(never)]
    fn look(n: usize) -> bool {
        if ON[n].load(Relaxed) == 2 {
            return true;
        }
        REACHED[n].store(1, Relaxed);
        ON[n].store(0, Relaxed);
        false
    }

    unsafe extern "C" {
        safe fn atexit(call: extern "C" fn()) -> i32;
    }

    #[used]
    #[unsafe(link_section = ".init_array")]
    static BEGIN: extern "C" fn() = begin;

    extern "C" fn begin() {
        if let Some(n) = std::env::var("PINGALA_MUTANT").ok().and_then(|n| n.parse::<usize>().ok()) {
            ON[n].store(2, Relaxed);
        } else if std::env::var_os("PINGALA_REACHED").is_some() {
            ON.iter().for_each(|on| on.store(1, Relaxed));
            atexit(end);
        }
    }

    extern "C" fn end() {
        let reached = (0..COUNT).filter(|&n| REACHED[n].load(Relaxed) != 0);
        let reached = reached.map(|n| format!("{n}\\n")).collect::<String>();
        let file = std::env::var_os("PINGALA_REACHED").expect("it was there");
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).expect("a file");
        std::io::Write::write_all(&mut file, reached.as_bytes()).expect("written");
    }
}
#[allow(deprecated)]
pub(crate) use switches::m;
"""


class Mutant:
    """A change at one place of one file, as cargo-mutants lists it."""

    def __init__(self, entry: dict[str, Any], number: int) -> None:
        self.file: str = entry["file"]
        self.genre: str = entry["genre"]
        self.function: str = (entry["function"] or {}).get("function_name", "")
        start, end = entry["span"]["start"], entry["span"]["end"]
        self.start, self.end = (start["line"], start["column"]), (end["line"], end["column"])
        self.replacement: str = entry["replacement"]
        text = re.sub(r"^[^:]*:\d+:\d+: ", "", entry["name"])
        # Without the line, which any change above moves.
        self.name = f"{self.file.removeprefix(SOURCE)}: {text}" + (f" #{number}" if number else "")

    def applied(self, source: "Source") -> bytes:
        """The file with the change."""
        start, end = source.offset(self.start), source.offset(self.end)
        return source.data[:start] + self.replacement.encode() + source.data[end:]


class Source:
    """A file, and where its characters are."""

    def __init__(self, path: Path) -> None:
        self.data = path.read_bytes()
        self.lines = self.data.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))
        self.root = PARSER.parse(self.data).root_node

    def offset(self, place: tuple[int, int]) -> int:
        """Of a line and a character, which both count from 1."""
        line, column = place
        return self.starts[line - 1] + len(self.lines[line - 1].decode()[: column - 1].encode())


@dataclass
class Switch:
    """A change, and the text around it that is written again."""

    number: int
    kind: str
    start: int
    end: int
    text: bytes
    #: Whether the compiler may compute it, where no switch is turned on.
    constant: bool

    def key(self) -> tuple[int, int, int]:
        """Its place: what is inside comes behind."""
        return self.start, -self.end, ["return", "arm", "choice"].index(self.kind)


def ancestors(node: tree_sitter.Node | None) -> Iterable[tree_sitter.Node]:
    while node is not None:
        yield node
        node = node.parent


def switch(source: Source, number: int, mutant: Mutant) -> Switch | None:
    """The switch of a change, or None where it has to be made apart."""
    start, end = source.offset(mutant.start), source.offset(mutant.end)
    replacement = mutant.replacement
    leaf = source.root.descendant_for_byte_range(start, end)
    if leaf is None:
        return None
    constant = False
    for node in ancestors(leaf):
        name = node.child_by_field_name("name")
        if name is not None and name.text == TABLE[1]:
            continue
        modifiers = next((child for child in node.children if child.type == "function_modifiers"), None)
        constant |= node.type in CONSTANT or (modifiers is not None and b"const" in (modifiers.text or b"").split())
        length = node.child_by_field_name("length") if node.type == "array_expression" else None
        constant |= length is not None and length.start_byte <= start and end <= length.end_byte

    def of(kind: str, node_start: int, node_end: int, text: bytes) -> Switch:
        return Switch(number, kind, node_start, node_end, text, constant)

    def changed(node: tree_sitter.Node) -> Switch:
        text = source.data[node.start_byte : start] + replacement.encode() + source.data[end : node.end_byte]
        return of("choice", node.start_byte, node.end_byte, text)

    parent = leaf.parent
    match mutant.genre:
        case "FnValue":
            function = next((node for node in ancestors(leaf) if node.type == "function_item"), None)
            returned = function.child_by_field_name("return_type") if function else None
            text = (returned.text or b"") if returned else b""
            # Where a null pointer is read, the compiler drops the branch that gives it, and the switch with it.
            if function is None or any(word in text for word in (b"impl ", b"*const ", b"*mut ")):
                return None
            return of("return", start, end, replacement.encode())
        case "BinaryOperator" if parent is not None and parent.type == "compound_assignment_expr":
            return changed(parent)
        case "BinaryOperator" if parent is not None and parent.type == "binary_expression":
            old, outer = source.data[start:end].decode(), parent
            if PRECEDENCE[old] != PRECEDENCE[replacement]:
                while outer.parent is not None and outer.parent.type == "binary_expression":
                    outer = outer.parent
            return changed(outer)
        case "UnaryOperator" if parent is not None and parent.type == "unary_expression":
            return changed(parent)
        case "StructField":
            whole = next((node for node in ancestors(leaf) if node.type == "struct_expression"), None)
            return changed(whole) if whole else None
        case "MatchArmGuard" if b"let " not in source.data[start:end]:
            return of("choice", start, end, replacement.encode())
        case "MatchArm" if leaf.type == "match_arm":
            pattern = leaf.child_by_field_name("pattern")
            guard = pattern.child_by_field_name("condition") if pattern else None
            if pattern is None or (guard is not None and b"let " in (guard.text or b"")):
                return None
            place = (guard.start_byte, guard.end_byte) if guard else (pattern.end_byte, pattern.end_byte)
            return of("arm", *place, b"")
    return None


@dataclass
class Written:
    """A file with its switches, and where they stand in it."""

    data: bytearray = field(default_factory=bytearray)
    #: The texts behind switches, and all that is written again with its switches: from, to, switches.
    texts: list[tuple[int, int, list[int]]] = field(default_factory=list)
    wholes: list[tuple[int, int, list[int]]] = field(default_factory=list)

    def behind(self, at: int) -> list[int]:
        """The switch in front of the text at a place."""
        return innermost(self.texts, at)

    def around(self, at: int) -> list[int]:
        """The switches of what is written again around a place."""
        return innermost(self.wholes, at)

    def put(self, start: int, end: int, text: bytes) -> None:
        """Another text in place of one in which no switch stands."""
        self.data[start:end] = text
        more = len(text) - (end - start)
        for ranges in (self.texts, self.wholes):
            ranges[:] = [(a + more * (a >= end), b + more * (b >= end), numbers) for a, b, numbers in ranges]

    def make_lazy(self) -> None:
        """The table of the file, where its lines may have switches."""
        _, _, head, tail = TABLE
        start = self.data.index(head)
        end = self.data.index(tail, start)
        self.put(end, end + len(tail), b"\n])));\n")
        self.put(start, start + len(head), LAZY)

    def make_root(self, count: int) -> None:
        """With the switches themselves, of the crate's root."""
        self.put(0, 0, b"#![allow(internal_features)]\n#![feature(core_intrinsics, const_eval_select)]\n")
        self.data.extend(MODULE.replace("COUNT", str(count)).encode())


def innermost(ranges: list[tuple[int, int, list[int]]], at: int) -> list[int]:
    found = [(end - start, numbers) for start, end, numbers in ranges if start <= at < end]
    return min(found, default=(0, list[int]()))[1]


def written(source: Source, switches: list[Switch]) -> Written:
    """The source with all switches, which are of one file."""
    out, ordered = Written(), sorted(switches, key=Switch.key)

    def text(one: Switch) -> None:
        begin = len(out.data)
        out.data.extend(one.text)
        out.texts.append((begin, len(out.data), [one.number]))

    def part(start: int, end: int, inside: list[Switch]) -> None:
        at = start
        while inside:
            key = inside[0].key()
            same = [one for one in inside if one.key() == key]
            within = [one for one in inside if one.end <= same[0].end and one.start < max(same[0].end, 1)]
            within = [one for one in within if one.key() != key]
            inside = [one for one in inside if one not in same and one not in within]
            out.data.extend(source.data[at : same[0].start])
            begin, at = len(out.data), same[0].end
            conditions = [f"crate::m({one.number})" for one in same]
            if same[0].kind == "arm":
                empty = same[0].start == same[0].end
                out.data.extend((" if !" if empty else "!").encode() + conditions[0].encode() + b" " * empty)
                if not empty:
                    out.data.extend(b" && (")
                    part(same[0].start, same[0].end, within)
                    out.data.extend(b")")
            elif same[0].kind == "return":
                for one, condition in zip(same, conditions, strict=True):
                    out.data.extend(f"if {condition} {{ return ".encode())
                    text(one)
                    out.data.extend(b"; } ")
                part(same[0].start, same[0].end, within)
            else:
                out.data.extend(b"(")
                for one, condition in zip(same, conditions, strict=True):
                    out.data.extend(f"if {condition} {{".encode())
                    text(one)
                    out.data.extend(b"} else ")
                out.data.extend(b"{")
                part(same[0].start, same[0].end, within)
                out.data.extend(b"})")
            out.wholes.append((begin, len(out.data), [one.number for one in same]))
        out.data.extend(source.data[at:end])

    part(0, len(source.data), ordered)
    return out


def complaint(line: str) -> tuple[str, str, list[tuple[str, int]]] | None:
    """What a line of cargo's says: level, code, and each place that it names, file and byte, the first one first."""
    message = json.loads(line).get("message")
    if not isinstance(message, dict) or "spans" not in message:
        return None
    found = []
    for span in sorted(message["spans"], key=lambda span: not span["is_primary"]):
        while span.get("expansion") and not span["file_name"].startswith("crates/"):
            span = span["expansion"]["span"]
        found.append((span["file_name"], span["byte_start"]))
    return message["level"], (message.get("code") or {}).get("code", ""), found
