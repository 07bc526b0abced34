//! `--cpu` and `PINGALA_CPU`.

use super::common::{command, run};

#[test]
fn a_masked_cpu() {
    let info = run(&["--cpu=-avx512f", "info"]);
    assert_eq!((info.status, info.err.as_str()), (0, ""));
    let row = |name: &str| info.out.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_string();
    assert!(row("masked").ends_with("avx512f avx512bw avx512vl avx512ifma"), "{}", info.out);
    assert!(!row("features").contains("avx512"), "{}", info.out);
    assert!(row("ifma_lanes_r52").contains("not on this CPU"), "{}", info.out);

    let explained =
        run(&["plan", "--explain", "--modulus-bits", "2048", "--exponent-bits", "2048", "--cpu", "-avx512f"]);
    assert!(explained.out.contains("masked    avx512f "), "{}{}", explained.out, explained.err);
    assert!(!explained.out.contains("ifma_row"), "{}", explained.out);
    assert_eq!(
        run(&["--cpu", "-avx2,-adx", "pow", "3", "1000", "1000003"]).out,
        run(&["pow", "3", "1000", "1000003"]).out
    );
}

#[test]
fn the_environment_masks_where_the_command_line_does_not() {
    let info = |arguments: &[&str]| {
        let output = command().args(arguments).arg("info").env("PINGALA_CPU", "-adx").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(info(&[]).lines().any(|line| line.starts_with("masked") && line.ends_with(" adx")));
    assert!(info(&["--cpu=-bmi2"]).lines().any(|line| line.starts_with("masked") && line.ends_with(" bmi2")));
}

/// No gate has run on aarch64.
#[test]
fn what_the_gate_has_not_seen_is_not_called_fit() {
    let info = run(&["info"]).out;
    let row = |name: &str| info.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_string();
    assert!(row("umulh_r64").contains("not checked on this architecture"), "{info}");
    assert_eq!(row("portable_r64").contains("fit for secrets"), cfg!(target_arch = "x86_64"), "{info}");
}

#[test]
fn no_such_feature() {
    let ran = run(&["--cpu", "-avx1024", "info"]);
    assert_eq!((ran.status, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("'-avx1024'") && ran.err.contains("-avx512ifma"), "{}", ran.err);
    for arguments in
        [&["info"][..], &["pow", "3", "5", "7"], &["plan", "--modulus-bits", "64", "--exponent-bits", "64"]]
    {
        let output = command().args(arguments).env("PINGALA_CPU", "avx2").output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{err}");
        assert!(err.contains("PINGALA_CPU: 'avx2'") && err.contains("-avx2"), "{err}");
    }
}
