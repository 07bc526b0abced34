use super::*;

fn found(text: &str) -> Result<Vec<Option<String>>, JsonError> {
    let mut into = [None, None];
    let place = |name: &str| ["a", "b"].iter().position(|known| *known == name);
    members(text, &place, &mut into)?;
    Ok(into.iter().map(|value| value.as_ref().map(|value| value.json().into_string())).collect())
}

#[test]
fn members_are_found_by_name() {
    assert_eq!(
        found(r#" {"b":[1,{"a":2}],"x":"a","\u0061":1e5} "#).unwrap(),
        [Some("1e5".into()), Some("[1,{\"a\":2}]".into())]
    );
    assert_eq!(found("{}").unwrap(), [None, None]);
    assert_eq!(found("{\"a\" : \"x,}\" , \"b\":\t{\"b\":[1,2]}\n}").unwrap()[1].as_deref(), Some("{\"b\":[1,2]}"));
    let (mut into, place) = ([const { None }; 1], |name: &str| (name == "a").then_some(0));
    assert!(matches!(members("{\"x\":1,\"a\":1,\"x\":2,\"a\":3}", &place, &mut into), Err(JsonError::Twice(_))));
    assert!(matches!(into, [Some(Value::Json("3"))]), "what is readable is there too");
    for text in ["", "[1]", "1", "{\"a\":1}}", "{\"a\":1,}", "{a:1}", "{\"a\":}"] {
        assert!(matches!(found(text), Err(JsonError::NotAnObject(_))), "{text}");
    }
}

fn doubled(text: &str) -> Option<JsonError> {
    walk(text, &|_| None, &mut [])
}

#[test]
fn a_name_twice_is_found_wherever_it_stands() {
    for (text, name) in [
        (r#"{"a":1,"a":1}"#, "a"),
        (r#"{"a":1,"\u0061":2}"#, "a"),
        (r#"{"x":1,"b":2,"x":3}"#, "x"),
        (r#"{"x":{"y":1,"z":[],"y":2}}"#, "y"),
        (r#"{"x":[0,[{"\"q":1},{"\"q":1,"w":{},"\"q":2}]],"z":1}"#, "\"q"),
        (r#"{"x":{"":1,"":2}}"#, ""),
        (r#"{"\ud800":1,"\ud800":2}"#, "\\ud800"),
    ] {
        let twice = doubled(text);
        assert_eq!(twice, Some(JsonError::Twice(name.into())), "{text}");
    }
    for text in [
        r#"{"a":"a","b":["a","a",{"a":1}],"c":{"a":"\\","d":"\"a\":1,\"a\":2"},"A":1}"#,
        r#"{"x":[{"a":1},{"a":1}],"y":{"x":1}}"#,
        "{}",
    ] {
        assert_eq!(doubled(text), None, "{text}");
    }
    let many: Vec<String> = (0..200_000).map(|i| format!("\"k{i}\":{i}")).collect();
    assert_eq!(doubled(&format!("{{{}}}", many.join(","))), None);
    assert_eq!(doubled(&format!("{{{},\"k777\":0}}", many.join(","))), Some(JsonError::Twice("k777".into())));
    assert!(doubled(&format!("{}0{}", "{\"a\":".repeat(5000), "}".repeat(5000))).is_some());
    assert_eq!(doubled(&format!("{{\"a\":{}{}}}", "[".repeat(1 << 20), "]".repeat(1 << 20))), None);
}
