//! Does sed accept this regular expression?
//!
//! What it matches is not asked, only whether GNU's compiler refuses it, and how many groups it has: a script with a
//! refused expression ends there. The rules are those of glibc's compiler with the syntax that sed asks for, found by
//! trying. What cannot be told without running it (sizes, other locales) is said to be unsure, never refused.

use super::script::c_string;
use super::{Dialect, Locale};

/// How the expression is read.
#[derive(Clone, Copy)]
pub(super) struct Syntax {
    /// `-E`.
    pub(super) extended: bool,
    /// The flag `I`.
    pub(super) ignore_case: bool,
    pub(super) dialect: Dialect,
    /// `POSIXLY_CORRECT` is in the environment: `[:space:]` is let pass.
    pub(super) posixly_correct: bool,
    pub(super) locale: Locale,
}

/// What becomes of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Accepted, with this many groups.
    Accepted(u32),
    /// Refused with a script error.
    Refused,
    /// Refused, as `[:space:]` is, by the second of sed's compilers: with a message and a status unlike those of a script
    /// error. The first accepts it, with this many groups.
    Misplaced(u32),
    /// Accepted or refused: it depends on the machine or the locale.
    Unsure,
}

/// Groups nested deeper than this, or an expression that repeats to more than this, are not judged.
const DEEPEST: usize = 200;
const LARGEST: u64 = 20_000;
/// The most that an interval may ask for (`RE_DUP_MAX`).
const MOST_REPEATS: u64 = 32_767;

/// Judges an expression as it stands after cutting and decoding.
pub(super) fn check(text: &[u8], syntax: Syntax) -> Verdict {
    let mut parser = Parser {
        text,
        at: 0,
        syntax,
        misplaced: false,
        unsure: false,
    };
    match parser.run() {
        Err(Refused) if !parser.unsure => Verdict::Refused,
        Ok(groups) if parser.misplaced && !parser.unsure => Verdict::Misplaced(groups),
        Ok(groups) if !parser.unsure => Verdict::Accepted(groups),
        _ => Verdict::Unsure,
    }
}

struct Refused;

enum Token {
    End,
    /// One that stands for characters: a byte, a class, `.`.
    Atom,
    Open,
    Close,
    Or,
    Star,
    /// `+`, `?` and their escaped forms.
    Some,
    Interval,
    Anchor,
    /// `\1` to `\9`.
    Reference(u32),
    Bracket,
    /// A backslash with nothing behind it.
    Dangling,
}

/// What a repetition operator would apply to.
#[derive(PartialEq, Eq)]
enum Before {
    /// The begin of a branch, or an anchor.
    Nothing,
    Atom,
    Repeated,
}

/// An open group, or the whole expression.
struct Level {
    /// Which groups were complete at the begin of each of its branches, one bit a group.
    complete_at_start: u32,
    /// Which were at the end of one of its branches.
    complete_anywhere: u32,
    number: u32,
    /// Estimated size when repetitions are written out, without and with the last atom.
    size: u64,
    last: u64,
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    syntax: Syntax,
    misplaced: bool,
    unsure: bool,
}

impl Parser<'_> {
    fn run(&mut self) -> Result<u32, Refused> {
        let level = |complete, number| Level {
            complete_at_start: complete,
            complete_anywhere: 0,
            number,
            size: 0,
            last: 0,
        };
        let mut open = vec![level(0, 0)];
        let (mut complete, mut groups) = (0_u32, 0_u32);
        let mut before = Before::Nothing;
        // `^` is an anchor only at a begin in basic syntax.
        let mut at_begin = true;
        loop {
            let token = self.token(at_begin);
            at_begin = matches!(token, Token::Open | Token::Or);
            let depth = open.len();
            let top = open
                .last_mut()
                .expect("the whole expression is never closed");
            match token {
                Token::End => break,
                Token::Dangling => return Err(Refused),
                Token::Open => {
                    groups = groups.saturating_add(1);
                    if depth > DEEPEST {
                        self.unsure = true;
                        return Ok(groups);
                    }
                    open.push(level(complete, groups));
                    before = Before::Nothing;
                    continue;
                }
                Token::Close if depth > 1 => {
                    let closed = open.pop().expect("more than one level is open");
                    complete |= closed.complete_anywhere;
                    if closed.number <= 9 {
                        complete |= 1 << closed.number;
                    }
                    let top = open.last_mut().expect("one level is left");
                    top.grow(closed.size.saturating_add(closed.last).max(1));
                    before = Before::Atom;
                    continue;
                }
                Token::Close if !self.lone_close_is_text() => return Err(Refused),
                Token::Or => {
                    top.complete_anywhere |= complete;
                    complete = top.complete_at_start;
                    before = Before::Nothing;
                    continue;
                }
                Token::Anchor => {
                    before = Before::Nothing;
                    continue;
                }
                Token::Star | Token::Some | Token::Interval if before == Before::Nothing => {
                    if self.syntax.extended || matches!(token, Token::Interval) {
                        return Err(Refused);
                    }
                }
                Token::Star | Token::Some | Token::Interval => {
                    let again = before == Before::Repeated && !matches!(token, Token::Some);
                    if again && !self.syntax.extended {
                        return Err(Refused);
                    }
                    let times = if matches!(token, Token::Interval) {
                        self.interval()?
                    } else {
                        1
                    };
                    top.last = top.last.saturating_mul(times.max(1));
                    if top.size.saturating_add(top.last) > LARGEST {
                        self.unsure = true;
                    }
                    before = Before::Repeated;
                    continue;
                }
                Token::Reference(number) => {
                    if complete & (1 << number) == 0 {
                        return Err(Refused);
                    }
                }
                Token::Bracket => self.bracket()?,
                Token::Atom | Token::Close => {}
            }
            top.grow(1);
            before = Before::Atom;
        }
        if open.len() > 1 {
            Err(Refused)
        } else {
            Ok(groups)
        }
    }

    fn lone_close_is_text(&self) -> bool {
        self.syntax.dialect != Dialect::Gnu
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn token(&mut self, at_begin: bool) -> Token {
        let Some(byte) = self.peek(0) else {
            return Token::End;
        };
        let extended = self.syntax.extended;
        self.at += 1;
        match byte {
            b'\\' => {
                let Some(next) = self.peek(0) else {
                    return Token::Dangling;
                };
                self.at += 1;
                self.escaped(next)
            }
            b'[' => Token::Bracket,
            b'*' => Token::Star,
            b'(' if extended => Token::Open,
            b')' if extended => Token::Close,
            b'|' if extended => Token::Or,
            b'{' if extended => Token::Interval,
            b'+' | b'?' if extended => Token::Some,
            b'^' if extended || at_begin => Token::Anchor,
            b'$' if extended || self.ends_branch() => Token::Anchor,
            _ => Token::Atom,
        }
    }

    fn escaped(&self, byte: u8) -> Token {
        // `--posix` switches the operators off that are GNU's own.
        let gnu = self.syntax.dialect != Dialect::Posix;
        let extended = self.syntax.extended;
        match byte {
            b'1'..=b'9' => Token::Reference(u32::from(byte - b'0')),
            b'(' if !extended => Token::Open,
            b')' if !extended => Token::Close,
            b'{' if !extended => Token::Interval,
            b'|' if !extended && gnu => Token::Or,
            b'+' | b'?' if !extended && gnu => Token::Some,
            b'<' | b'>' | b'b' | b'B' | b'`' | b'\'' if gnu => Token::Anchor,
            _ => Token::Atom,
        }
    }

    /// In basic syntax `$` is an anchor at the end and before `\)` and `\|`.
    fn ends_branch(&self) -> bool {
        match self.peek(0) {
            None => true,
            Some(b'\\') => self
                .peek(1)
                .is_some_and(|next| matches!(self.escaped(next), Token::Close | Token::Or)),
            Some(_) => false,
        }
    }

    /// The interval after its opening brace: how often it repeats at most.
    fn interval(&mut self) -> Result<u64, Refused> {
        let (low, closed) = self.number()?;
        let low = match low {
            Some(low) => low,
            None if closed => return Err(Refused),
            None => 0,
        };
        if closed {
            return if low > MOST_REPEATS {
                Err(Refused)
            } else {
                Ok(low)
            };
        }
        let (high, closed) = self.number()?;
        if !closed || high.is_some_and(|high| low > high) {
            return Err(Refused);
        }
        let most = high.unwrap_or(low);
        if most > MOST_REPEATS {
            Err(Refused)
        } else {
            Ok(most)
        }
    }

    /// A number up to `,` (`false`) or the closing brace (`true`); `None`: no digit stands there.
    fn number(&mut self) -> Result<(Option<u64>, bool), Refused> {
        let mut number = None;
        loop {
            let byte = self.peek(0).ok_or(Refused)?;
            self.at += 1;
            match byte {
                b',' => return Ok((number, false)),
                b'}' if self.syntax.extended => return Ok((number, true)),
                b'\\' if !self.syntax.extended && self.peek(0) == Some(b'}') => {
                    self.at += 1;
                    return Ok((number, true));
                }
                // The first compiler takes an escaped comma, and `\0`, for what they stand for; the second refuses them.
                b'\\' if matches!(self.peek(0), Some(b',' | b'0')) => self.misplaced = true,
                b'0'..=b'9' => {
                    let digit = u64::from(byte - b'0');
                    number = Some((number.unwrap_or(0) * 10 + digit).min(MOST_REPEATS + 1));
                }
                _ => return Err(Refused),
            }
        }
    }

    /// A bracket expression after its `[`.
    fn bracket(&mut self) -> Result<(), Refused> {
        if self.peek(0) == Some(b'^') {
            self.at += 1;
        }
        let inner = self.at;
        let (mut plain, mut other) = (false, false);
        let mut first = true;
        loop {
            if self.peek(0) == Some(b']') && !first {
                break;
            }
            let low = self.element(first)?;
            first = false;
            plain |= matches!(low, Element::Byte(byte) if byte != b':');
            other |= matches!(low, Element::Class | Element::Equivalence);
            let ranges = self.peek(0) == Some(b'-') && self.peek(1).ok_or(Refused)? != b']';
            if ranges && !matches!(low, Element::Class | Element::Equivalence) {
                self.at += 1;
                let high = self.element(true)?;
                self.range(low, high)?;
                other = true;
            }
            self.peek(0).ok_or(Refused)?;
        }
        let content = &self.text[inner..self.at];
        self.at += 1;
        // `[:space:]` alone is refused by the second of sed's two compilers.
        let colons = content.first() == Some(&b':') && content.last() == Some(&b':');
        self.misplaced |= colons && plain && !other && !self.syntax.posixly_correct;
        Ok(())
    }

    /// One element; a hyphen that is neither first nor last nor an end of a range is refused.
    fn element(&mut self, hyphen_allowed: bool) -> Result<Element, Refused> {
        let byte = self.peek(0).ok_or(Refused)?;
        self.at += 1;
        match byte {
            b'[' => match self.peek(0) {
                Some(mark @ (b':' | b'.' | b'=')) => {
                    self.at += 1;
                    self.named(mark)
                }
                _ => Ok(Element::Byte(byte)),
            },
            b'-' if !hyphen_allowed && self.peek(0) != Some(b']') => Err(Refused),
            0x80.. => Ok(self.wide(byte)),
            _ => Ok(Element::Byte(byte)),
        }
    }

    /// A byte above 127: in a UTF-8 locale a character of several bytes, or an invalid byte.
    fn wide(&mut self, first: u8) -> Element {
        match self.syntax.locale {
            Locale::C => Element::Byte(first),
            Locale::Utf8 => {
                let start = self.at - 1;
                match super::utf8::character_length(&self.text[start..]) {
                    1 => Element::Byte(first),
                    length => {
                        self.at = start + length;
                        Element::Wide
                    }
                }
            }
            Locale::Other => Element::Wide,
        }
    }

    fn named(&mut self, mark: u8) -> Result<Element, Refused> {
        let rest = &self.text[self.at..];
        let length = rest
            .windows(2)
            .take(33)
            .position(|pair| pair == [mark, b']'])
            .ok_or(Refused)?;
        // The C library compares names up to a NUL.
        let name = c_string(&rest[..length]);
        self.at += length + 2;
        match mark {
            b':' => {
                let known = [
                    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print",
                    "punct", "space", "upper", "xdigit",
                ];
                if known.iter().any(|class| class.as_bytes() == name) {
                    Ok(Element::Class)
                } else {
                    Err(Refused)
                }
            }
            _ if self.syntax.locale == Locale::Other && name.len() != 1 => {
                self.unsure = true;
                Ok(Element::Equivalence)
            }
            _ => match (mark, name) {
                (b'=', [_]) => Ok(Element::Equivalence),
                (_, [byte]) => Ok(Element::Byte(*byte)),
                _ => Err(Refused),
            },
        }
    }

    fn range(&mut self, low: Element, high: Element) -> Result<(), Refused> {
        if self.syntax.locale == Locale::Other {
            self.unsure = true;
            return Ok(());
        }
        match (low, high) {
            (Element::Byte(low), Element::Byte(high)) => {
                let fold = |byte: u8| {
                    if self.syntax.ignore_case {
                        byte.to_ascii_uppercase()
                    } else {
                        byte
                    }
                };
                if fold(low) > fold(high) {
                    Err(Refused)
                } else {
                    Ok(())
                }
            }
            // The locale has no order for characters of several bytes.
            _ => Err(Refused),
        }
    }
}

#[derive(Clone, Copy)]
enum Element {
    Byte(u8),
    Wide,
    Class,
    Equivalence,
}

impl Level {
    fn grow(&mut self, by: u64) {
        self.size = self.size.saturating_add(self.last);
        self.last = by;
    }
}
