//! The table of results as a picture.

use crate::bounds::lower_bound;
use crate::table::TABLE;
use pingala_core::Error;
use std::fmt::Write;

const ROW: usize = 16;
const LEFT: usize = 190;
const TOP: usize = 40;
const SCALE: usize = 9;

/// An SVG: for each exponent of the table, how much longer than the lower bound its chain is (a dot), and the best chain that is
/// known from elsewhere (a ring). Random exponents of 1024 and 2048 bits, far longer, are left out.
pub fn plot() -> Result<String, Error> {
    let mut rows = String::new();
    let mut n_rows = 0;
    for entry in TABLE {
        let kept = entry.kept()?;
        let bound = lower_bound(kept.chain.target()).length;
        if kept.chain.target().bits() > 600 {
            continue;
        }
        let y = TOP + n_rows * ROW;
        let x = |length: usize| LEFT + (length - bound) * SCALE;
        let ours = x(kept.chain.length());
        let _ = writeln!(rows, "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", LEFT - 12, y + 4, entry.name);
        let known = entry.elsewhere.map(|(length, _)| length).into_iter().chain(entry.addchain).min();
        if let Some(known) = known {
            let _ = writeln!(rows, "<path class=\"gap\" d=\"M{ours} {y}H{}\"/>", x(known));
            let _ = writeln!(rows, "<circle class=\"known\" cx=\"{}\" cy=\"{y}\" r=\"4.5\"/>", x(known));
        }
        let _ = writeln!(rows, "<circle class=\"ours\" cx=\"{ours}\" cy=\"{y}\" r=\"3\"/>");
        n_rows += 1;
    }
    let bottom = TOP + n_rows * ROW;
    let mut ticks = String::new();
    for steps in (0..=100).step_by(10) {
        let x = LEFT + steps * SCALE;
        let _ = writeln!(ticks, "<path class=\"grid\" d=\"M{x} {}V{bottom}\"/>", TOP - 12);
        let _ = writeln!(ticks, "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{steps}</text>", bottom + 16);
    }
    let (width, height) = (LEFT + 102 * SCALE, bottom + 30);
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <title>Steps above the lower bound: chains of the table, and the best from elsewhere</title>\n<style>\n\
         :root {{ color-scheme: light dark; background: Canvas }}\ntext {{ fill: light-dark(#222, #ddd) }}\n.grid {{ stroke: light-dark(#ddd, #444) }}\n\
         .ours {{ fill: #2a78c2 }}\n.known {{ fill: none; stroke: #c2452a; stroke-width: 1.5 }}\n.gap {{ stroke: light-dark(#aaa, #777) }}\n\
         </style>\n<text x=\"{LEFT}\" y=\"16\">steps above the lower bound; dot: this table, ring: best from elsewhere</text>\n{ticks}{rows}</svg>\n"
    ))
}
