//! What did the front end read, in words that are the same for a command and for bash's print of it?
//!
//! Bash prints what it has read in one form: newlines and `;` are one, blanks and comments are gone, redirections come
//! last, `elif` is an `else` with an `if`, `|&` is `2>&1 |`, and so on. Both trees are written down in that form here.
//! Text in quotes, words and bodies stays byte for byte.

mod quotes;

use quotes::{requoted, without_continuations};
use reference::shell::{Kind, NodeId, Operator, Over, Quoted, Tree};

/// One command, each token a line of its own; the beginnings and ends of what nests are tokens too.
pub(crate) fn canonical(tree: &Tree) -> Vec<Vec<u8>> {
    let mut writer = Writer {
        tree,
        tokens: Vec::new(),
    };
    for list in tree.children(tree.root()) {
        if tree.kind(list) == Kind::List {
            writer.list(list);
        }
    }
    writer.tokens
}

struct Writer<'t> {
    tree: &'t Tree,
    tokens: Vec<Vec<u8>>,
}

impl Writer<'_> {
    fn put(&mut self, token: impl Into<Vec<u8>>) {
        self.tokens.push(token.into());
    }

    fn list(&mut self, id: NodeId) {
        let mut is_continued = false;
        for child in self.tree.children(id) {
            match self.tree.kind(child) {
                Kind::Pipeline => {
                    if !is_continued {
                        self.put(";");
                    }
                    self.pipeline(child);
                    is_continued = false;
                }
                kind @ (Kind::And | Kind::Or) => {
                    self.put(if kind == Kind::And { "&&" } else { "||" });
                    is_continued = true;
                }
                Kind::Background => self.put("&"),
                Kind::NotUnderstood => self.put("not understood"),
                _ => {}
            }
        }
    }

    fn pipeline(&mut self, id: NodeId) {
        let tree = self.tree;
        let children: Vec<NodeId> = tree.children(id).collect();
        let of = |kind| {
            children
                .iter()
                .filter(move |&&child| tree.kind(child) == kind)
        };
        if of(Kind::Bang).count() % 2 == 1 {
            self.put("!");
        }
        if of(Kind::Time).count() > 0 {
            let is_posix = of(Kind::Time).any(|&time| tree.text(time).contains(&b'-'));
            self.put(if is_posix { "time -p" } else { "time" });
        }
        for (at, &child) in children.iter().enumerate() {
            match tree.kind(child) {
                Kind::Bang | Kind::Time | Kind::Comment | Kind::HereBody(_) => {}
                Kind::Pipe | Kind::PipeBoth => self.put("|"),
                Kind::NotUnderstood => self.put("not understood"),
                _ => {
                    let mut after = children[at + 1..].iter().map(|&next| tree.kind(next));
                    let both = after.find(|kind| matches!(kind, Kind::Pipe | Kind::PipeBoth));
                    self.command(child, both == Some(Kind::PipeBoth));
                }
            }
        }
    }

    fn command(&mut self, id: NodeId, both: bool) {
        let tree = self.tree;
        let kind = tree.kind(id);
        self.put(format!("{kind:?}"));
        match kind {
            Kind::If => self.branches(id),
            Kind::For(over) | Kind::Select(over) => {
                self.tokens.pop();
                self.put(if matches!(kind, Kind::For(_)) {
                    "for"
                } else {
                    "select"
                });
                self.children(id, Kind::Word, Self::word);
                if over == Over::Positional {
                    self.put("\"$@\"");
                }
                self.children(id, Kind::List, Self::list);
            }
            Kind::ForArithmetic => {
                self.children(id, Kind::Arithmetic, Self::three);
                self.children(id, Kind::List, Self::list);
            }
            Kind::Conditional => self.test(id),
            Kind::ArithmeticCommand => self.children(id, Kind::Arithmetic, Self::word),
            Kind::Case => {
                self.children(id, Kind::Word, Self::word);
                self.children(id, Kind::CaseItem, Self::item);
            }
            Kind::Function => self.function(id),
            Kind::Coproc => self.coproc(id),
            Kind::Simple => {
                for child in tree.children(id) {
                    if matches!(tree.kind(child), Kind::Word | Kind::Assignment) {
                        self.word(child);
                    }
                }
            }
            _ => self.children(id, Kind::List, Self::list),
        }
        self.redirections(id, both);
        self.put("end");
    }

    fn children(&mut self, id: NodeId, kind: Kind, write: fn(&mut Self, NodeId)) {
        for child in self.tree.children(id) {
            if self.tree.kind(child) == kind {
                write(self, child);
            }
        }
    }

    /// Conditions and branches; an `else` that holds an `if` alone is an `elif`.
    fn branches(&mut self, id: NodeId) {
        let tree = self.tree;
        let of_kind = |id, kind| -> Vec<NodeId> {
            let children = tree.children(id);
            children.filter(|&child| tree.kind(child) == kind).collect()
        };
        let lists = of_kind(id, Kind::List);
        let (pairs, last) = lists.as_chunks::<2>();
        for (number, &[condition, branch]) in pairs.iter().enumerate() {
            self.put(if number == 0 { "if" } else { "elif" });
            self.list(condition);
            self.put("then");
            self.list(branch);
        }
        let Some(&last) = last.first() else { return };
        if let [pipeline] = of_kind(last, Kind::Pipeline)[..]
            && let [inner] = of_kind(pipeline, Kind::If)[..]
            && tree
                .children(pipeline)
                .all(|child| matches!(tree.kind(child), Kind::If | Kind::Comment))
            && tree.child(last, Kind::Background).is_none()
            && !tree
                .children(inner)
                .any(|child| matches!(tree.kind(child), Kind::Redirection(_)))
        {
            let at = self.tokens.len();
            self.branches(inner);
            self.tokens[at] = b"elif".to_vec();
        } else {
            self.put("else");
            self.list(last);
        }
    }

    /// The parts of `(( ; ; ))`; an empty one is 1.
    fn three(&mut self, id: NodeId) {
        let text = self.text(id);
        let inside = text
            .strip_prefix(b"((")
            .and_then(|text| text.strip_suffix(b"))"));
        for part in inside.unwrap_or(&text).split(|&byte| byte == b';') {
            match part.trim_ascii() {
                b"" => self.put("1"),
                part => self.put(part),
            }
        }
    }

    fn item(&mut self, id: NodeId) {
        self.put("item");
        self.children(id, Kind::Word, Self::word);
        self.children(id, Kind::List, Self::list);
        let text = self.tree.text(id);
        let joined: Vec<u8> = without_continuations(text);
        let end = [&b";;&"[..], b";&"]
            .into_iter()
            .find(|end| joined.ends_with(end));
        self.put(end.unwrap_or(b";;"));
    }

    /// A body that is no group is put into one by bash.
    fn function(&mut self, id: NodeId) {
        let tree = self.tree;
        let mut is_name = true;
        for child in tree.children(id) {
            match tree.kind(child) {
                Kind::Word if is_name => self.word(child),
                Kind::Group => {
                    self.children(child, Kind::List, Self::list);
                    self.redirections(child, false);
                }
                Kind::Comment | Kind::HereBody(_) | Kind::Redirection(_) => {}
                _ => {
                    self.put(";");
                    self.command(child, false);
                }
            }
            is_name = false;
        }
    }

    /// The name is `COPROC` where none is given; bash prints it before a simple command too.
    fn coproc(&mut self, id: NodeId) {
        let tree = self.tree;
        let names = tree.child(id, Kind::Word);
        self.put(names.map_or(&b"COPROC"[..], |name| tree.text(name)));
        for child in tree.children(id) {
            match tree.kind(child) {
                Kind::Word | Kind::Comment | Kind::HereBody(_) => {}
                _ => {
                    let at = self.tokens.len();
                    self.command(child, false);
                    if self
                        .tokens
                        .get(at + 1)
                        .is_some_and(|word| word == b"COPROC")
                    {
                        self.tokens.remove(at + 1);
                    }
                }
            }
        }
    }

    /// A word alone is asked whether it is empty.
    fn test(&mut self, id: NodeId) {
        let tree = self.tree;
        let parts: Vec<NodeId> = tree
            .children(id)
            .filter(|&child| matches!(tree.kind(child), Kind::Word | Kind::TestOperator))
            .collect();
        let joins = |at: Option<&NodeId>| match at {
            Some(&part) if tree.kind(part) == Kind::TestOperator => {
                matches!(tree.text(part), b"(" | b")" | b"&&" | b"||" | b"!")
            }
            Some(_) => false,
            None => true,
        };
        for (at, &part) in parts.iter().enumerate() {
            let is_alone =
                joins(at.checked_sub(1).map(|at| &parts[at])) && joins(parts.get(at + 1));
            match tree.kind(part) {
                Kind::Word => {
                    if is_alone {
                        self.put("-n");
                    }
                    self.word(part);
                }
                _ => self.put(without_continuations(tree.text(part))),
            }
        }
    }

    /// Those of a command, here-documents last. With `both`, standard error goes where standard output goes.
    fn redirections(&mut self, id: NodeId, both: bool) {
        let tree = self.tree;
        for documents in [false, true] {
            if documents && both {
                self.put("2>&");
                self.put("1");
            }
            for child in tree.children(id) {
                if let Kind::Redirection(operator) = tree.kind(child)
                    && documents == is_document(operator)
                {
                    self.redirection(child, operator);
                }
            }
        }
    }

    fn redirection(&mut self, id: NodeId, operator: Operator) {
        let tree = self.tree;
        let word = tree.child(id, Kind::Word);
        let descriptor = tree
            .child(id, Kind::Descriptor)
            .map(|id| tree.text(id).to_vec());
        let closes = word.is_some_and(|word| tree.text(word) == b"-");
        let (operator, usual) = match operator {
            Operator::DuplicateIn if closes => {
                let descriptor = descriptor.clone().unwrap_or(b"0".to_vec());
                self.put([descriptor, b">&-".to_vec()].concat());
                return;
            }
            Operator::Read => ("<", b"0"),
            Operator::ReadWrite => ("<>", b"0"),
            Operator::DuplicateIn => ("<&", b"0"),
            Operator::HereDocument => ("<<", b"0"),
            Operator::HereDocumentTabs => ("<<-", b"0"),
            Operator::HereString => ("<<<", b"0"),
            Operator::Write => (">", b"1"),
            Operator::Clobber => (">|", b"1"),
            Operator::Append => (">>", b"1"),
            Operator::DuplicateOut => (">&", b"1"),
            Operator::Both => ("&>", b"1"),
            Operator::BothAppend => ("&>>", b"1"),
        };
        if closes && operator == ">&" {
            let descriptor = descriptor.clone().unwrap_or(b"1".to_vec());
            self.put([descriptor, b">&-".to_vec()].concat());
            return;
        }
        let descriptor = descriptor.filter(|descriptor| descriptor != usual);
        self.put([&descriptor.unwrap_or_default()[..], operator.as_bytes()].concat());
        match tree.body(id) {
            Some(body) => {
                self.put(word.map(|word| delimiter(tree, word)).unwrap_or_default());
                self.body(body, operator == "<<-");
            }
            None => word.into_iter().for_each(|word| self.word(word)),
        }
    }

    fn body(&mut self, id: NodeId, strips_tabs: bool) {
        let quoted = self.tree.kind(id) == Kind::HereBody(Quoted::Yes);
        let text = self.tree.text(id);
        let joined = match quoted {
            true => text.to_vec(),
            false => without_continuations(text),
        };
        self.put(if quoted { "quoted" } else { "expanded" });
        if !strips_tabs {
            return self.put(joined);
        }
        let lines = joined.split(|&byte| byte == b'\n');
        let stripped = lines.map(|line| {
            let tabs = line.iter().take_while(|&&byte| byte == b'\t').count();
            &line[tabs..]
        });
        self.put(stripped.collect::<Vec<_>>().join(&b'\n'));
    }

    fn word(&mut self, id: NodeId) {
        let text = self.text(id);
        self.put(text);
    }

    /// The text of a word or a piece as bash keeps it.
    fn text(&self, id: NodeId) -> Vec<u8> {
        let tree = self.tree;
        match tree.kind(id) {
            Kind::Continuation | Kind::Comment => Vec::new(),
            Kind::CommandSubstitution => self.program(id, b"$("),
            Kind::ProcessIn => self.program(id, b"<("),
            Kind::ProcessOut => self.program(id, b">("),
            Kind::Backquoted => without_continuations(tree.text(id)),
            Kind::AnsiQuoted => requoted(tree.text(id)),
            // Its own text is `${` and `}`, perhaps on two lines.
            Kind::Parameter(_) => self.pieces_with(id, without_continuations),
            Kind::LocaleQuoted => self.pieces(id)[1..].to_vec(),
            Kind::Array => {
                let words = tree
                    .children(id)
                    .filter(|&child| tree.kind(child) != Kind::Comment);
                let words: Vec<Vec<u8>> = words.map(|word| self.text(word)).collect();
                [b"(", &words.join(&b' ')[..], b")"].concat()
            }
            _ => self.pieces(id),
        }
    }

    fn pieces(&self, id: NodeId) -> Vec<u8> {
        self.pieces_with(id, <[u8]>::to_vec)
    }

    /// The pieces, and what lies between them as `kept`.
    fn pieces_with(&self, id: NodeId, kept: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let tree = self.tree;
        let mut text = Vec::new();
        let mut children = tree.children(id);
        for plain in tree.plain(id) {
            text.extend(kept(plain));
            text.extend(
                children
                    .next()
                    .map(|child| self.text(child))
                    .unwrap_or_default(),
            );
        }
        text
    }

    fn program(&self, id: NodeId, open: &[u8]) -> Vec<u8> {
        let mut inner = Writer {
            tree: self.tree,
            tokens: Vec::new(),
        };
        inner.children(id, Kind::List, Self::list);
        [open, &inner.tokens.join(&b' ')[..], b")"].concat()
    }
}

fn is_document(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::HereDocument | Operator::HereDocumentTabs
    )
}

/// The line that ends a here-document, by its word.
pub(crate) fn delimiter(tree: &Tree, word: NodeId) -> Vec<u8> {
    quotes::removed(
        Writer {
            tree,
            tokens: Vec::new(),
        }
        .text(word),
    )
}
