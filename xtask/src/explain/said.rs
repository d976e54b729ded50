//! What does a scanner say of the command, in either form?

use super::drawing::Mark;
use differential::replay::Form;
use reference::regions::hardened::{Inert, scan};
use reference::regions::literal::Passes;
use reference::regions::{Span, literal};
use serde_json::{Value, json};

/// The answer of a scanner.
pub(crate) struct Said {
    /// Whose.
    pub(crate) form: Form,
    /// What it calls text, sorted.
    pub(crate) regions: Vec<Span>,
    /// The same, to be drawn.
    pub(crate) marks: Vec<Mark>,
    /// Every stretch, in order, and why it is text or live; the literal scanner gives no reasons.
    pub(crate) reasons: Vec<Reason>,
    /// Names of files into which it writes text that a later command could run.
    pub(crate) deferred: Vec<Span>,
    /// What each pass of the literal scanner found.
    passes: Option<Passes>,
}

/// Why a stretch is what it is.
pub(crate) struct Reason {
    /// Where.
    pub(crate) span: Span,
    /// Could bash run what starts in it?
    pub(crate) live: bool,
    /// Why, or why not.
    pub(crate) why: String,
}

impl Said {
    /// Asks the scanner of a form.
    pub(crate) fn of(form: Form, command: &[u8]) -> Self {
        match form {
            Form::Hardened => Self::hardened(command),
            Form::Literal => Self::literal(command),
        }
    }

    fn hardened(command: &[u8]) -> Self {
        let answer = scan(command);
        let mut reasons: Vec<Reason> = Vec::new();
        for at in 0..command.len() {
            let (live, why) = match answer.why(at) {
                Ok(inert) => (false, inert.to_string()),
                Err(live) => (true, live.to_string()),
            };
            match reasons.last_mut() {
                Some(last) if last.live == live && last.why == why => last.span.end = at + 1,
                _ => reasons.push(Reason {
                    span: Span {
                        start: at,
                        end: at + 1,
                    },
                    live,
                    why,
                }),
            }
        }
        let mark = |(span, inert)| Mark {
            span,
            label: label(inert),
        };
        Said {
            form: Form::Hardened,
            regions: answer.regions().map(|(span, _)| span).collect(),
            marks: answer.regions().map(mark).collect(),
            reasons,
            deferred: answer.deferred().to_vec(),
            passes: None,
        }
    }

    fn literal(command: &[u8]) -> Self {
        let passes = Passes::of(command);
        let labelled = [
            (&passes.bodies, "here-document body"),
            (&passes.runs, "quoted operand"),
            (&passes.comments, "comment"),
        ];
        let mark = |label| move |&span: &Span| Mark { span, label };
        let mut marks: Vec<Mark> = labelled
            .into_iter()
            .flat_map(|(spans, label)| spans.iter().map(mark(label)))
            .collect();
        marks.sort_by_key(|mark| mark.span);
        Said {
            form: Form::Literal,
            regions: literal::regions(command),
            marks,
            reasons: Vec::new(),
            deferred: Vec::new(),
            passes: Some(passes),
        }
    }

    /// What only one form has, for the document.
    pub(crate) fn add_to(&self, document: &mut Value) {
        match &self.passes {
            Some(passes) => {
                document["passes"] = json!({
                    "bodies": spans(&passes.bodies),
                    "quoted": spans(&passes.runs),
                    "comments": spans(&passes.comments),
                });
            }
            None => {
                let reason = |one: &Reason| {
                    let (start, end) = (one.span.start, one.span.end);
                    json!({ "start": start, "end": end, "live": one.live, "why": one.why })
                };
                document["why"] = self.reasons.iter().map(reason).collect();
                document["deferred"] = spans(&self.deferred);
            }
        }
    }
}

/// At most so many reasons are printed; the document holds them all.
const SHOWN: usize = 30;
/// Columns of a reason.
const WIDTH: usize = 54;

impl Said {
    /// Stretch by stretch, why it is what it is.
    pub(crate) fn rows(&self) -> String {
        let mut page = String::new();
        for Reason { span, live, why } in self.reasons.iter().take(SHOWN) {
            let word = if *live { "live" } else { "text" };
            let place = format!("{}..{}", span.start, span.end);
            for (number, line) in wrapped(why).iter().enumerate() {
                let (place, word) = match number {
                    0 => (place.as_str(), word),
                    _ => ("", ""),
                };
                page += &format!("  {place:<14}  {word}  {line}\n");
            }
        }
        if let Some(more) = self.reasons.len().checked_sub(SHOWN + 1) {
            page += &format!("  … {} more; --json has them all\n", more + 1);
        }
        page
    }
}

/// A sentence in lines.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.len() - 1;
        match lines[last].is_empty() {
            true => lines[last].push_str(word),
            false if lines[last].len() + word.len() < WIDTH => {
                lines[last].push(' ');
                lines[last].push_str(word);
            }
            false => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Spans as pairs.
pub(crate) fn spans(spans: &[Span]) -> Value {
    let pair = |span: &Span| json!([span.start, span.end]);
    spans.iter().map(pair).collect()
}

/// What a region is, in a word or two.
fn label(inert: Inert) -> &'static str {
    match inert {
        Inert::Comment => "comment",
        Inert::Body => "here-document body",
        Inert::HereString => "here-string",
        Inert::Operand => "operand",
        Inert::Value => "value",
        Inert::Target => "file name",
        Inert::Test => "operand of a test",
        Inert::Pattern => "compared",
        Inert::Item => "item",
        Inert::NoProgram => "no program",
    }
}
