"""Plants errors in the library and checks that the generated calls find each: `make -C hardening planted`.

Each error changes one place in a copy of the sources. The copy is compiled and `suite::calls` runs on it; an error that
no call finds fails the run. Each error takes about two minutes.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "target" / "planted"
SOURCE = "crates/pingala-core/src"

# What is wrong, the file in the library or in the repository, the text there, and what takes its place.
ERRORS = [
    (
        "the sign of a negative base is dropped in lists",
        "engine/execute/normalise.rs",
        "let (negated, exponent) = (negates(base, exponent), exponent.magnitude());",
        "let (negated, exponent) = (false, exponent.magnitude());",
    ),
    (
        "the residue modulo the last factor is left out",
        "modulus/factored.rs",
        "in pairs(&self.factors, residues)? {",
        "in pairs(&self.factors, residues)?.take((self.factors.len() - 1).max(1)) {",
    ),
    (
        "a result that needs no work goes to the first place",
        "engine/execute/threads.rs",
        "trivial_results.into_iter().for_each(|(index, answer)| answers.answers[index] = answer);",
        "trivial_results.into_iter().for_each(|(_, answer)| answers.answers[0] = answer);",
    ),
    (
        "an inverse is that of another modulus",
        "engine/execute/normalise.rs",
        "(place, firsts[group] + at)",
        "(place, at.min(firsts[group]))",
    ),
    (
        "the cap on exponents is ignored",
        "engine/execute/normalise.rs",
        "    if length > cap {\n",
        "    if length > cap && cap > 1 << 20 {\n",
    ),
    (
        "the sign of a power in parts is dropped",
        "work/list/run.rs",
        "power.modulus.facts().recombine(&residues).map(|result| power.signed(result))",
        "power.modulus.facts().recombine(&residues)",
    ),
    (
        "the power of two is not recombined in lanes",
        "work/list/run.rs",
        "Ok(modulo_two) => even::recombine(modulus, &mut residue, &modulo_two),",
        "Ok(_) => {}",
    ),
    (
        "a reduced exponent may be below the multiplicity of its factor",
        "modulus/factored.rs",
        "chores::add(&chores::rem(&chores::sub(exponent, &k), order), &k)",
        "chores::add(&chores::rem(&chores::sub(exponent, &k), order), &Natural::from(1u64))",
    ),
    (
        "the sign of a product is dropped",
        "work/shared_work/mod.rs",
        "factors.negative ^= base.is_negative() && magnitude.is_odd();",
        "factors.negative ^= base.is_negative() && magnitude.is_odd() && exponent.is_negative();",
    ),
    (
        "a table does not invert powers with negative exponents",
        "work/fixed_base/mod.rs",
        "if exponent.is_negative() { inverse(",
        "if exponent.is_negative() && power.is_one() { inverse(",
    ),
    (
        "a power of exponent 0 modulo 1 is 1",
        "engine/execute/normalise.rs",
        "    if m.is_one() {\n        return Some(Ok(Natural::default()));\n    }\n",
        "    if m.is_one() && length > 0 {\n        return Some(Ok(Natural::default()));\n    }\n",
    ),
    (
        "a Jacobi symbol forgets reciprocity",
        "crates/pingala-primes/src/jacobi.rs",
        "        if a % 4 == 3 && n % 4 == 3 {",
        "        if a % 4 == 3 && n % 8 == 3 {",
    ),
    (
        "a square root is the greater one",
        "crates/pingala-primes/src/sqrt.rs",
        "Ok(if other < root { other } else { root })",
        "Ok(if other < root { root } else { other })",
    ),
    (
        "the second bit of a random prime is left to chance",
        "crates/pingala-primes/src/range.rs",
        "        2 => Ok(UBig::from(3u8) << (bits as usize - 2)),",
        "        2 => Ok(UBig::ONE << (bits as usize - 1)),",
    ),
    (
        "a secret prime less 1 may share a divisor with the public exponent",
        "crates/pingala-primes/src/secret.rs",
        "            && release_secret(shares_divisor_less_1(p, e)) != 0",
        "            && release_secret(shares_divisor_less_1(p, e)) == 2",
    ),
    (
        "a list gives a number that needs no power the answer of its neighbour",
        "crates/pingala-primes/src/test.rs",
        "            Some(answer) => answers[place] = answer,",
        "            Some(answer) => answers[place.saturating_sub(1)] = answer,",
    ),
    (
        "the last squaring of a proof is not the verifier's",
        "crates/pingala-proofs/src/squaring/verify.rs",
        "            modulus.sqr(&before.into()) == *result",
        "            [modulus.sqr(&before.clone().into()), before].contains(result)",
    ),
    (
        "a result that is not reduced is accepted",
        "crates/pingala-proofs/src/squaring/verify.rs",
        "    if !is_below(result, m) {",
        "    if false && !is_below(result, m) {",
    ),
    (
        "a witness that is not reduced holds",
        "crates/pingala-proofs/src/accumulator/verify.rs",
        "if result? != *accumulator || !number::is_below(witness, modulus.value()) {",
        "if result? != *accumulator || witness.is_zero() && modulus.value().is_zero() {",
    ),
    (
        "a row that failed keeps what the buffer had",
        "work/rows.rs",
        "                Err(error) => {\n                    out.fill(0);\n",
        "                Err(error) => {\n",
    ),
]


def place(file: str) -> str:
    """The path of a file of ERRORS in the repository."""
    return file if file.startswith("crates/") else f"{SOURCE}/{file}"


def misplaced() -> list[str]:
    """Returns a complaint for each error whose text is not at exactly one place of its file."""
    complaints = []
    for what, file, text, _ in ERRORS:
        path = ROOT / place(file)
        count = path.read_text().count(text) if path.is_file() else 0
        if count != 1:
            complaints.append(f"{what}: expected one place in {place(file)}, found {count}: {text.strip()}")
    return complaints


def found(what: str, file: str, text: str, instead: str) -> bool:
    """Whether the calls fail with this error planted."""
    planted = COPY / place(file)
    original = planted.read_text()
    planted.write_text(original.replace(text, instead))
    try:
        tests = ["-p", "pingala-core", "--lib"]
        if file.startswith("crates/"):
            # The calls for primes and proofs.
            tests = ["--release", "-p", "pingala-proofs", "--test", "calls"]
        command = ["cargo", "test", "--locked", *tests, "--"]
        # Only what an error changes is compiled again.
        environment = {
            **os.environ,
            "CARGO_TARGET_DIR": str(ROOT / "target" / "planted-build"),
            "CARGO_INCREMENTAL": "1",
            "RUST_BACKTRACE": "0",
        }
        subprocess.run([*command[:-1], "--no-run", "--quiet"], cwd=COPY, env=environment, check=True)
        ran = subprocess.run(
            [*command, "every_pair_of_kinds"],
            cwd=COPY,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        planted.write_text(original)
    caught = ran.returncode != 0 and "PINGALA_CALL=" in ran.stdout
    print(f"{'found' if caught else 'NOT FOUND'}: {what}", flush=True)
    return caught


def main() -> None:
    """Runs all errors, or those whose description contains the argument."""
    if complaints := misplaced():
        sys.exit("planted_calls: " + "\n".join(complaints))
    chosen = [error for error in ERRORS if len(sys.argv) < 2 or sys.argv[1] in error[0]]
    if not chosen:
        sys.exit(f"planted_calls: no error is described by '{sys.argv[1]}'")
    shutil.rmtree(COPY, ignore_errors=True)
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in files.split("\0"):
        if name and (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)
    missed = [error[0] for error in chosen if not found(*error)]
    print(f"{len(chosen) - len(missed)} found, {len(missed)} not found")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
