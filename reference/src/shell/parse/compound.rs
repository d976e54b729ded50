//! Compound commands and the words that are reserved where a command may begin (B-44).

use super::super::class::{BREAK, NAME, is};
use super::super::tree::{Kind, Over, Trouble};
use super::word::Sort;
use super::{Lines, Read, Reader};

/// A reserved word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reserved {
    Bang,
    Time,
    Brace,
    ClosingBrace,
    Brackets,
    ClosingBrackets,
    If,
    Then,
    Elif,
    Else,
    Fi,
    While,
    Until,
    For,
    Select,
    Do,
    Done,
    Case,
    In,
    Esac,
    Function,
    Coproc,
}

use Reserved::*;

impl Reserved {
    fn of(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"!" => Bang,
            b"{" => Brace,
            b"}" => ClosingBrace,
            b"[[" => Brackets,
            b"]]" => ClosingBrackets,
            b"if" => If,
            b"then" => Then,
            b"elif" => Elif,
            b"else" => Else,
            b"fi" => Fi,
            b"while" => While,
            b"until" => Until,
            b"for" => For,
            b"select" => Select,
            b"do" => Do,
            b"done" => Done,
            b"case" => Case,
            b"in" => In,
            b"esac" => Esac,
            b"function" => Function,
            b"coproc" => Coproc,
            b"time" => Time,
            _ => return None,
        })
    }

    /// Does no command begin with it?
    pub(super) fn ends_list(self) -> bool {
        matches!(
            self,
            Then | Elif | Else | Fi | Do | Done | In | Esac | ClosingBrace | ClosingBrackets
        )
    }
}

/// Longest reserved word, and one more.
const LONGEST: usize = 9;

impl Reader<'_, '_> {
    /// The reserved word here, and where it ends. Continuations do not part it.
    pub(super) fn reserved(&self) -> Option<(Reserved, usize)> {
        // What they begin with; a continuation may stand before.
        let may_begin = matches!(
            self.byte(),
            b'c'..=b'f' | b'i' | b's'..=b'u' | b'w' | b'!' | b'{' | b'}' | b'[' | b']' | b'\\'
        );
        if !may_begin {
            return None;
        }
        let mut word = [0; LONGEST];
        let mut length = 0;
        let mut at = self.joined(self.at);
        while at < self.end && !is(self.text[at], BREAK) {
            if length == LONGEST {
                return None;
            }
            word[length] = self.text[at];
            length += 1;
            at = self.after(at);
        }
        // A process substitution would go on with the word.
        if b"<>".contains(&self.byte_at(at)) && self.byte_at(self.after(at)) == b'(' {
            return None;
        }
        Reserved::of(&word[..length]).map(|word| (word, at))
    }

    /// This reserved word, after blanks and newlines.
    fn expect_word(&mut self, word: Reserved) -> Read {
        self.newlines()?;
        match self.reserved() {
            Some((found, end)) if found == word => {
                self.at = end;
                Ok(())
            }
            _ if self.at >= self.end => Err(Trouble::Unclosed),
            _ => Err(Trouble::Unexpected),
        }
    }

    /// A compound command with its redirections; false where none begins here.
    pub(super) fn compound(&mut self) -> Read<bool> {
        let start = self.at;
        if self.byte() == b'(' {
            self.deeper(Self::parenthesis)?;
            return Ok(true);
        }
        let Some((word, end)) = self.reserved() else {
            return Ok(false);
        };
        let kind = match word {
            Brace => Kind::Group,
            Brackets => Kind::Conditional,
            If => Kind::If,
            While => Kind::While,
            Until => Kind::Until,
            For => Kind::For(Over::Words),
            Select => Kind::Select(Over::Words),
            Case => Kind::Case,
            Function => Kind::Function,
            Coproc => Kind::Coproc,
            _ => return Err(Trouble::Unexpected),
        };
        let node = self.open(kind, start)?;
        self.at = end;
        self.deeper(|reader| match word {
            Brace => reader.list_to(ClosingBrace),
            Brackets => reader.conditional(),
            If => reader.branches(),
            While | Until => {
                reader.list_to(Do)?;
                reader.list_to(Done)
            }
            For | Select => reader.over(node),
            Case => reader.case(),
            Function => reader.function(),
            _ => reader.coproc(),
        })?;
        // Its redirections are its children.
        if !matches!(word, Function | Coproc) {
            self.redirections()?;
        }
        self.close(node);
        Ok(true)
    }

    fn list_to(&mut self, word: Reserved) -> Read {
        self.commands()?;
        self.expect_word(word)
    }

    /// `((` or `(`.
    fn parenthesis(&mut self) -> Read {
        let start = self.at;
        let second = self.after(start);
        let is_read_twice = self.byte_at(second) == b'(';
        let documents = self.pending.len() + self.made.openers.len();
        if is_read_twice {
            let node = self.open(Kind::ArithmeticCommand, start)?;
            if self.arithmetic(start, second)? {
                self.redirections()?;
                self.close(node);
                return Ok(());
            }
            self.made.open.pop();
            self.made.nodes.pop();
        }
        let node = self.open(Kind::Subshell, start)?;
        self.at += 1;
        self.commands()?;
        self.expect(b')')?;
        if is_read_twice && self.pending.len() + self.made.openers.len() > documents {
            return Err(Trouble::Unclear);
        }
        self.redirections()?;
        self.close(node);
        Ok(())
    }

    /// After `if`.
    fn branches(&mut self) -> Read {
        loop {
            self.list_to(Then)?;
            self.commands()?;
            self.newlines()?;
            match self.reserved() {
                Some((Elif, end)) => self.at = end,
                Some((Else, end)) => {
                    self.at = end;
                    return self.list_to(Fi);
                }
                _ => return self.expect_word(Fi),
            }
        }
    }

    /// After `for` or `select`.
    fn over(&mut self, node: u32) -> Read {
        self.blanks()?;
        if self.byte() == b'(' {
            self.made.nodes[node as usize].kind = Kind::ForArithmetic;
            let start = self.at;
            let second = self.after(start);
            if self.byte_at(second) != b'(' || !self.arithmetic(start, second)? {
                return Err(Trouble::Unexpected);
            }
            self.blanks()?;
            if self.byte() == b';' {
                self.at += 1;
            }
            return self.body_of_loop();
        }
        self.word(Sort::Plain)?;
        self.newlines()?;
        match self.reserved() {
            Some((In, end)) => {
                self.at = end;
                loop {
                    self.blanks()?;
                    if !self.begins_word() {
                        break;
                    }
                    self.word(Sort::Plain)?;
                }
                if !matches!(self.byte(), b';' | b'\n') {
                    return Err(Trouble::Unexpected);
                }
            }
            _ => {
                let kind = &mut self.made.nodes[node as usize].kind;
                *kind = match kind {
                    Kind::Select(_) => Kind::Select(Over::Positional),
                    _ => Kind::For(Over::Positional),
                };
            }
        }
        if self.byte() == b';' {
            self.at += 1;
        }
        self.body_of_loop()
    }

    fn body_of_loop(&mut self) -> Read {
        self.newlines()?;
        match self.reserved() {
            Some((Brace, end)) => {
                self.at = end;
                self.list_to(ClosingBrace)
            }
            _ => {
                self.expect_word(Do)?;
                self.list_to(Done)
            }
        }
    }

    /// After `case`.
    fn case(&mut self) -> Read {
        self.blanks()?;
        self.word(Sort::Plain)?;
        self.expect_word(In)?;
        loop {
            self.newlines()?;
            if let Some((Esac, end)) = self.reserved() {
                self.at = end;
                return Ok(());
            }
            let item = self.open(Kind::CaseItem, self.at)?;
            if self.byte() == b'(' {
                self.at += 1;
                self.blanks()?;
            }
            loop {
                self.word(Sort::Plain)?;
                self.blanks()?;
                if self.byte() != b'|' {
                    break;
                }
                self.at += 1;
                self.blanks()?;
            }
            self.expect(b')')?;
            self.list(Lines::Many)?;
            self.newlines()?;
            if self.byte() != b';' {
                self.close(item);
                return self.expect_word(Esac);
            }
            // `;;`, `;&` or `;;&`
            self.at = self.after(self.at);
            let second = self.byte();
            if !matches!(second, b';' | b'&') {
                return Err(Trouble::Unexpected);
            }
            let third = self.after(self.at);
            self.at += 1;
            if second == b';' && self.byte_at(third) == b'&' {
                self.at = third + 1;
            }
            self.close(item);
        }
    }

    /// After `coproc`: a name stands before `{` and `(` only.
    fn coproc(&mut self) -> Read {
        self.blanks()?;
        let mut end = self.at;
        while is(self.byte_at(end), NAME) {
            end += 1;
        }
        if end > self.at && self.reserved().is_none() {
            let name = self.at;
            self.at = end;
            let is_one_word = is(self.byte(), BREAK) || self.at >= self.end;
            self.at = self.behind_blanks();
            match self.reserved() {
                Some((Brace, _)) if is_one_word => self.named(name, end)?,
                None if is_one_word && self.byte() == b'(' => self.named(name, end)?,
                Some(_) if is_one_word => return Err(Trouble::Unclear),
                _ => self.at = name,
            }
        }
        self.command()
    }

    fn named(&mut self, start: usize, end: usize) -> Read {
        self.leaf(Kind::Word, start, end)
    }
}
