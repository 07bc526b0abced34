"""The package carries the licences of what it links."""

from importlib.metadata import files


def test_notices_are_in_the_wheel():
    notices = [path for path in files("pingala") or [] if path.name == "THIRD-PARTY-NOTICES.txt"]
    assert len(notices) == 1
    text = notices[0].read_text(encoding="utf-8")
    assert "\ndashu-int " in text
    assert "Permission is hereby granted" in text
