"""What a run of the proofs found, and how it is printed."""

from dataclasses import dataclass, field


@dataclass
class Report:
    """Lemmas that hold, complaints of those that do not, and parts that could not run."""

    held: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def add(self, other: "Report") -> None:
        self.held += other.held
        self.failed += other.failed
        self.skipped += other.skipped

    def print(self) -> None:
        """The lines that tools/tally.py counts."""
        for complaint in self.failed:
            print(f"FAILED {complaint}")
        for part in self.skipped:
            print(f"SKIPPED {part}")
        print(f"proofs: {len(self.held)} passed, {len(self.failed)} failed, {len(self.skipped)} skipped", flush=True)
