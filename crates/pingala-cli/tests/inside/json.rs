use super::*;
use serde_json::{Value, json};

#[test]
fn fields_keep_their_order_and_nest() {
    let inner = Object::new().with("b", "\"\u{1b}").with("a", f64::INFINITY);
    let object = Object::new().with("z", 1).with_some("none", None::<u8>).with("list", [&inner, &inner]);
    let inside = r#"{"b":"\"\u001b","a":null}"#;
    assert_eq!(object.line(), format!("{{\"z\":1,\"list\":[{inside},{inside}]}}\n"));
    assert_eq!(Object::new().line(), "{}\n");
    let nested: Value = serde_json::from_str(&error("bad_file", "x: y").line()).unwrap();
    assert_eq!(nested, json!({ "error": { "code": "bad_file", "message": "x: y" } }));
}

#[test]
fn numbers_are_text() {
    assert_eq!([number(31, false), number(31, true)], ["0x1f", "31"]);
}
