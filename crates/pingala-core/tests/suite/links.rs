//! A link of a page names a file that is there.

use super::rust_text::{Source, root, sources};
use std::path::Path;

/// The targets of links `[text](target)` outside of code, without their anchors.
fn targets(page: &str) -> impl Iterator<Item = &str> {
    // Every second piece stands between fences.
    let prose = page.split("\n```").step_by(2);
    prose.flat_map(|prose| prose.split("](").skip(1)).filter_map(|rest| rest.split([')', '#']).next())
}

fn broken(pages: &[Source]) -> Vec<String> {
    let there = |page: &Source, target: &str| {
        let folder = root().join(&page.path).parent().map(Path::to_path_buf).unwrap_or_default();
        target.is_empty() || target.contains("://") || folder.join(target).exists()
    };
    let of = |page: &Source| {
        let missing = targets(&page.text).filter(|target| !there(page, target));
        missing.map(|target| format!("{} links to {target}, which is not there", page.path)).collect::<Vec<_>>()
    };
    pages.iter().flat_map(of).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut pages = sources("", &[".md"]);
    // Pages that `make docs` places elsewhere: it checks their links.
    pages.retain(|page| !page.path.starts_with("docs/site/"));
    assert!(pages.len() > 30, "{} pages", pages.len());
    let complaints = broken(&pages);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The test of the test.
#[test]
fn a_broken_link_is_found() {
    let text = "[a](README.md#here) [b](#there) [c](https://example.org/x)\n```\n[d](no.md)\n```\n[e](docs/no.md)\n";
    let planted = [Source { path: "README.md".into(), text: text.into() }];
    assert_eq!(broken(&planted), ["README.md links to docs/no.md, which is not there"]);
}
