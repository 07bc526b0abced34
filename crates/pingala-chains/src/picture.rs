//! A chain as a picture.

use pingala_core::algorithm::Chain;
use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 46.0;

/// The most steps of a chain whose elements stand at its dots.
const MOST_NUMBERED: usize = 24;
/// The width of a digit.
const DIGIT: f64 = 7.3;

/// An SVG: steps from left to right, bits of the elements upwards. A dot is a step, grey for a doubling; a curve goes from a
/// dot to what was added to the element before it. A short chain has larger dots, with the elements at them. Colours follow the
/// reader's scheme, light or dark.
pub fn svg(chain: &Chain) -> String {
    let steps = chain.length().max(1) as f64;
    let most_bits = chain.elements().iter().map(|element| element.bits()).max().unwrap_or(1) as f64;
    let x = |place: usize| MARGIN + place as f64 / steps * (WIDTH - 2.0 * MARGIN);
    let y =
        |place: usize| HEIGHT - MARGIN - chain.elements()[place].bits() as f64 / most_bits * (HEIGHT - 2.0 * MARGIN);
    let is_short = chain.length() <= MOST_NUMBERED;
    let shape = crate::shape(chain);
    let title = format!("{} steps: {} squarings, {} products", shape.length, shape.squarings, shape.products);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <title>{title}</title>\n<style>\n:root {{ color-scheme: light dark; background: Canvas }}\ntext {{ fill: light-dark(#222, #ddd) }}\n\
         .axis {{ stroke: light-dark(#888, #999) }}\n.sum {{ fill: none; stroke: #2a78c2; stroke-opacity: {}; stroke-width: {} }}\n\
         .double {{ fill: light-dark(#888, #999) }}\n.product {{ fill: #c2452a }}\n</style>\n",
        if is_short { ".7" } else { ".35" },
        if is_short { "1.5" } else { "1" },
    );
    let (left, bottom, right) = (MARGIN, HEIGHT - MARGIN, WIDTH - MARGIN);
    let _ = writeln!(text, "<path class=\"axis\" fill=\"none\" d=\"M{left} {MARGIN}V{bottom}H{right}\"/>");
    let _ = writeln!(text, "<text x=\"{left}\" y=\"{}\">{title}</text>", MARGIN - 18.0);
    let _ = writeln!(
        text,
        "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\">step {}</text>",
        bottom + 20.0,
        chain.length()
    );
    let _ = writeln!(
        text,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{most_bits} bits</text>",
        left + 52.0,
        MARGIN - 2.0
    );
    for (place, &(low, high)) in (1..).zip(chain.pairs()) {
        for operand in [low, high].into_iter().filter(|&operand| operand + 1 != place) {
            let middle = (x(operand) + x(place)) / 2.0;
            let _ = writeln!(
                text,
                "<path class=\"sum\" d=\"M{:.1} {:.1}Q{middle:.1} {:.1} {:.1} {:.1}\"/>",
                x(operand),
                y(operand),
                y(operand),
                x(place),
                y(place)
            );
            if low == high {
                break;
            }
        }
    }
    // The element 1 is no step; a short chain shows it.
    let first = is_short.then_some((0, "double", 4.0));
    let dots = (1..).zip(chain.pairs()).map(|(place, &(low, high))| match (low == high, is_short) {
        (true, true) => (place, "double", 4.0),
        (false, true) => (place, "product", 5.5),
        (true, false) => (place, "double", 1.6),
        (false, false) => (place, "product", 2.6),
    });
    for (place, class, radius) in first.into_iter().chain(dots) {
        let (x, y) = (x(place), y(place));
        let _ = writeln!(text, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>");
        let number = chain.elements()[place].to_string();
        // Above and below in turn, so that a number has the room of two dots.
        let y = if place % 2 == 0 { y - 10.0 } else { y + 20.0 };
        if is_short && number.len() as f64 * DIGIT <= 2.0 * (WIDTH - 2.0 * MARGIN) / steps {
            let _ = writeln!(text, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{number}</text>");
        }
    }
    text + "</svg>\n"
}
