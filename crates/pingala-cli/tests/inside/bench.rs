use super::*;
use std::io::{Seek, Write};

#[test]
fn idle_power_is_taken_off() {
    let times = Times { count: 1000, elapsed: Duration::from_secs(2), least: Duration::from_millis(1) };
    let measured = Measured { zones: "package-0".into(), times, joule: 50.0, idle_watt: 10.0 };
    assert_eq!(measured.rows()[0][1], "1000.000 us at least, 2000.000 us in the mean");
    assert!((measured.joule_each() - 0.030).abs() < 1e-12);
    assert!(measured.rows()[2][1].starts_with("30000.000 uJ"));
    assert_eq!(measured.rows()[3][1], "25.00 at work, 10.00 idle, of package-0");
}

#[test]
fn the_last_sentence() {
    let python = |seconds| Ok(Timed { version: "3.12.1".into(), seconds });
    assert_eq!(
        against_python(&python(0.0213), 247e-6),
        "Python 3.12.1's pow takes 21.3 ms, 86 times as long as Pingala's 247 us."
    );
    assert!(against_python(&python(1.5), 1.25).ends_with(" takes 1.50 s, 1.2 times as long as Pingala's 1.25 s."));
    assert_eq!(
        against_python(&Err("there is no python3".into()), 1.0),
        "Python's pow is not compared: there is no python3."
    );
}

#[test]
fn numbers_have_their_length() {
    for bits in [2, 63, 64, 65, 2048] {
        assert_eq!(number(bits, 1, true).bits(), bits);
        assert!(!number(bits, 1, true).is_even());
    }
}

/// The counters of a tree that rises while the work runs.
#[test]
fn energy_of_a_fake_counter() {
    let root = tempfile::tempdir().unwrap();
    let zone = root.path().join("intel-rapl:0");
    std::fs::create_dir(&zone).unwrap();
    let counter = zone.join("energy_uj");
    std::fs::write(zone.join("name"), "package-0").unwrap();
    std::fs::write(zone.join("max_energy_range_uj"), "1000").unwrap();
    std::fs::write(&counter, "0995").unwrap();
    // Written over in place: file systems flush a file that is cut short and written anew, which may take a second.
    let file = std::cell::RefCell::new(std::fs::OpenOptions::new().write(true).open(&counter).unwrap());
    let turns = std::cell::Cell::new(0);
    // Each turn of work takes 7 microjoule; the first runs across the counter's end.
    let work = || {
        turns.set(turns.get() + 1);
        let mut file = file.borrow_mut();
        file.rewind().unwrap();
        write!(file, "{:04}", (995 + 7 * turns.get()) % 1000).unwrap();
        std::thread::sleep(Duration::from_millis(1));
        Ok(())
    };
    let measured = energy(root.path(), Duration::from_millis(60), &work).unwrap().unwrap();
    // A machine that pauses may leave time for one turn only.
    assert!(
        measured.times.count > 0 && measured.times.count == turns.get(),
        "{} of {}",
        measured.times.count,
        turns.get()
    );
    assert_eq!(measured.idle_watt, 0.0);
    assert!((measured.joule - 7e-6 * turns.get() as f64).abs() < 1e-12, "{}", measured.joule);
    assert!((measured.joule_each() - 7e-6).abs() < 1e-12, "{}", measured.joule_each());
}
