//! What does a command consist of? Its tree: one array of nodes, a parent before its children, all in the order of the text.
//!
//! A node is 16 bytes; the plain text of a word has none of its own, it is what lies between the pieces. Nothing is said
//! here about what a command does.

use super::origin::Program;
use super::value::{Value, program, value};
use crate::regions::Span;
use std::fmt;

/// The place of a node in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// Its number: nodes are numbered from 0 without a gap, parents before children.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is; in brackets its children, in order. [`Kind::Comment`] and [`Kind::HereBody`] may stand among the children
/// of every node that can go over a newline; [`Kind::NotUnderstood`] ends whatever it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The whole command [`Kind::List`, one for each complete line as bash reads them (B-60)].
    Script,
    /// [`Kind::Pipeline`, each but the last followed by `Kind::And`, `Kind::Or`, `Kind::Then` or `Kind::Background`].
    List,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `;` or a newline.
    Then,
    /// `&`: the and-or list before it runs in the background.
    Background,
    /// [`Kind::Bang` and `Kind::Time` in any order, then commands with `Kind::Pipe` between them; `!` and `time` may stand alone].
    Pipeline,
    /// `!`
    Bang,
    /// `time`, `time -p`
    Time,
    /// `|`
    Pipe,
    /// `|&`
    PipeBoth,
    /// [`Kind::Assignment`, `Kind::Word`, `Kind::Redirection`, mixed as written; no assignment after the first word, but for
    /// operands of declaring builtins, which may be assignments with an array].
    Simple,
    /// `( )` [`Kind::List`, redirections].
    Subshell,
    /// `{ }` [`Kind::List`, redirections].
    Group,
    /// [`Kind::List` condition, `Kind::List` branch, the same for each `elif`, perhaps a last `Kind::List` for `else`;
    /// redirections].
    If,
    /// [`Kind::List` condition, `Kind::List` body, redirections].
    While,
    /// As [`Kind::While`].
    Until,
    /// `for` [`Kind::Word` name, `Kind::Word` values, `Kind::List` body, redirections].
    For(Over),
    /// As [`Kind::For`].
    Select(Over),
    /// `for (( ; ; ))` [`Kind::Arithmetic`, `Kind::List` body, redirections].
    ForArithmetic,
    /// [`Kind::Word` subject, `Kind::CaseItem`s, redirections].
    Case,
    /// [`Kind::Word` patterns, `Kind::List` body].
    CaseItem,
    /// [`Kind::Word` name, one command of any kind].
    Function,
    /// `[[ ]]` [`Kind::Word`, `Kind::TestOperator`, mixed as written; redirections].
    Conditional,
    /// An operator of `[[ ]]`: `!`, `(`, `)`, `&&`, `||`, `-f`, `=~`, `<`, ...; the text says which.
    TestOperator,
    /// `(( ))` [`Kind::Arithmetic`, redirections].
    ArithmeticCommand,
    /// [perhaps `Kind::Word` name, one command of any kind].
    Coproc,
    /// [perhaps `Kind::Descriptor`, then `Kind::Word`: target, here-string or delimiter]. Of a here-document, [`Tree::body`] is
    /// what is read.
    Redirection(Operator),
    /// The number or `{name}` before a redirection.
    Descriptor,
    /// Body of a here-document without its last line; [pieces as in double quotes] where the delimiter is not quoted.
    HereBody(Quoted),
    /// `#` to the end of the line, without the newline.
    Comment,
    /// `name=value`, `name+=value`, `name[...]=value` [`Kind::Name`, perhaps `Kind::Subscript`, then `Kind::Word` or
    /// `Kind::Array`, or nothing where the value is empty].
    Assignment,
    /// `( )` as a value [`Kind::Word`s and `Kind::Assignment`s without a name].
    Array,
    /// Name or special character of a parameter.
    Name,
    /// `[ ]` after a name, with the brackets [pieces].
    Subscript,
    /// One word [pieces; what lies between them is plain text, which may hold patterns and braces].
    Word,
    /// A backslash and the character it quotes.
    Escaped,
    /// A backslash and a newline, which are as if they were not there.
    Continuation,
    /// `'...'`
    SingleQuoted,
    /// `$'...'`
    AnsiQuoted,
    /// `"..."` [pieces].
    DoubleQuoted,
    /// `$"..."` [pieces].
    LocaleQuoted,
    /// `$x`, `${...}` [perhaps `Kind::Name`, perhaps `Kind::Subscript`, perhaps `Kind::Operand`].
    Parameter(Form),
    /// What follows the name within `${...}`, with its operator [pieces].
    Operand,
    /// `$( )` [`Kind::List`].
    CommandSubstitution,
    /// `` ` ` `` [`Kind::List`]; read when it is expanded, so that an error in it stays in it.
    Backquoted,
    /// `$(( ))`, `$[ ]`, and what is evaluated in `(( ))` and `for (( ))` [pieces].
    Arithmetic,
    /// `<( )` [`Kind::List`].
    ProcessIn,
    /// `>( )` [`Kind::List`].
    ProcessOut,
    /// `@( )`, `?( )`, `*( )`, `+( )`, `!( )` [pieces].
    ExtendedPattern,
    /// From here to the end of what it stands in: bash refuses it, or it is not known what bash reads.
    NotUnderstood,
}

/// What a loop goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Over {
    /// `in` and words.
    Words,
    /// No `in`: the positional parameters.
    Positional,
}

/// Whether the delimiter of a here-document is quoted, in any part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quoted {
    /// The body is text.
    Yes,
    /// The body is expanded.
    No,
}

/// Operator of a redirection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>|`
    Clobber,
    /// `>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<&`
    DuplicateIn,
    /// `>&`: duplicates, or as `&>` where the target is no descriptor.
    DuplicateOut,
    /// `&>`
    Both,
    /// `&>>`
    BothAppend,
    /// `<<`
    HereDocument,
    /// `<<-`
    HereDocumentTabs,
    /// `<<<`
    HereString,
}

/// What a parameter expansion does with its parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `$x`, `${x}`, `${x[0]}`
    Plain,
    /// `${#x}`
    Length,
    /// `${!x}` with any operand: the value names another parameter, or names are listed.
    Indirect,
    /// `${x-...}`, `${x:=...}`, `${x#...}`, `${x/...}`, `${x:1}`, `${x@Q}`, ...: the operand says which.
    Operated,
    /// Bash refuses it when it is expanded, or it is not known what it does.
    Unclear,
}

/// Why the rest was not understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trouble {
    /// The text ends within a quote, a substitution or a compound command.
    Unclosed,
    /// A token that bash refuses there.
    Unexpected,
    /// What it is depends on what was switched on before.
    DependsOnOptions,
    /// Nested deeper than [`super::DEEPEST`].
    TooDeep,
    /// More nodes than [`super::MOST_NODES`].
    TooLarge,
    /// A byte that no argument of a program can hold, or that bash does not read as itself.
    StrangeByte,
    /// A form whose extent bash decides in another way when it expands it.
    Unclear,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unclosed => "the text ends inside a quote, a substitution or a compound command",
            Self::Unexpected => "bash refuses this token here",
            Self::DependsOnOptions => "how this is read depends on options set before",
            Self::TooDeep => "nested too deep",
            Self::TooLarge => "too many parts",
            Self::StrangeByte => "a byte that bash does not read as itself",
            Self::Unclear => "bash may end this elsewhere when it expands it",
        })
    }
}

/// One node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    /// Text that the offsets are of.
    pub(super) buffer: u16,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Number of the first node after this one and all below it.
    pub(super) next: u32,
}

/// The tree of a command.
#[derive(Debug)]
pub struct Tree {
    pub(super) nodes: Vec<Node>,
    /// The command first.
    pub(super) buffers: Vec<Program>,
    /// Redirection and body, by redirection.
    pub(super) bodies: Vec<(NodeId, NodeId)>,
    /// Body and redirection, by body.
    pub(super) openers: Vec<(NodeId, NodeId)>,
    pub(super) troubles: Vec<(NodeId, Trouble)>,
}

impl Tree {
    /// The node of kind [`Kind::Script`].
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// Number of nodes.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, parents before children, in the order of the text.
    pub fn all(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// What it is.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// Where it stands: byte offsets in the command.
    pub fn span(&self, id: NodeId) -> Span {
        let node = self.node(id);
        let buffer = &self.buffers[usize::from(node.buffer)];
        // The last byte and not the one after it: a backslash may be gone there.
        let after = |at: u32| match at.checked_sub(1) {
            Some(last) => buffer.source(last as usize) + 1,
            None => buffer.source(0),
        };
        let end = after(node.end);
        let start = match node.end > node.start {
            true => buffer.source(node.start as usize),
            false => end,
        };
        Span { start, end }
    }

    /// Its text; inside backquotes without the backslashes that they take away.
    pub fn text(&self, id: NodeId) -> &[u8] {
        let node = self.node(id);
        &self.buffers[usize::from(node.buffer)].text[node.start as usize..node.end as usize]
    }

    /// What of its text is in none of its children, stretch by stretch.
    pub fn plain(&self, id: NodeId) -> impl Iterator<Item = &[u8]> {
        let node = self.node(id);
        let text = &self.buffers[usize::from(node.buffer)].text;
        let borders = self.children(id).map(|child| self.node(child));
        let starts = borders.clone().map(|child| child.end);
        let ends = borders.map(|child| child.start);
        let starts = std::iter::once(node.start).chain(starts);
        let ends = ends.chain([node.end]);
        starts
            .zip(ends)
            .map(|(start, end)| &text[start as usize..end.max(start) as usize])
    }

    /// Its children, in the order of the text.
    pub fn children(&self, id: NodeId) -> Children<'_> {
        Children {
            tree: self,
            at: id.0 + 1,
            end: self.node(id).next,
        }
    }

    /// Its first child of a kind.
    pub fn child(&self, id: NodeId, kind: Kind) -> Option<NodeId> {
        self.children(id).find(|&child| self.kind(child) == kind)
    }

    /// Is the one inside the other, or the same?
    pub fn is_within(&self, id: NodeId, outer: NodeId) -> bool {
        (outer.0..self.node(outer).next).contains(&id.0)
    }

    /// The body that a here-document's redirection reads, if the text goes so far.
    pub fn body(&self, redirection: NodeId) -> Option<NodeId> {
        let found = self
            .bodies
            .binary_search_by_key(&redirection, |&(redirection, _)| redirection);
        found.ok().map(|at| self.bodies[at].1)
    }

    /// The redirection that reads a here-document's body.
    pub fn opener(&self, body: NodeId) -> Option<NodeId> {
        let found = self.openers.binary_search_by_key(&body, |&(body, _)| body);
        found.ok().map(|at| self.openers[at].1)
    }

    /// What was not understood, in order: a node of kind [`Kind::NotUnderstood`] and why.
    pub fn troubles(&self) -> &[(NodeId, Trouble)] {
        &self.troubles
    }

    /// Was everything understood, down to the last substitution?
    pub fn is_understood(&self) -> bool {
        self.troubles.is_empty()
    }

    /// What is known of the value of a word before anything is expanded, quotes removed.
    pub fn value(&self, word: NodeId) -> Value {
        value(self, word)
    }

    /// The value of a word that nothing is left to be expanded in: quotes removed, no pattern, no brace, no tilde.
    pub fn literal(&self, word: NodeId) -> Option<Vec<u8>> {
        let value = self.value(word);
        value.is_known().then_some(value.prefix)
    }

    /// The text of a word, or of a here-document's body, and where each byte comes from; `None` where something is left to be
    /// expanded. For a word it is [`Tree::literal`].
    pub fn program(&self, id: NodeId) -> Option<Program> {
        program(self, id)
    }
}

/// See [`Tree::children`].
#[derive(Clone, Debug)]
pub struct Children<'a> {
    tree: &'a Tree,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let id = NodeId(self.at);
        if self.at >= self.end {
            return None;
        }
        self.at = self.tree.node(id).next;
        Some(id)
    }
}
