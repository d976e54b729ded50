//! One script of file operations from bytes: names made, moved, linked, replaced, removed, in folders that move themselves.
//!
//! Few names and many operations, so that they meet: most of them fail or succeed by what came before.

use super::decoder::Decoder;
use super::sed::Construct;

/// The most operations of a script.
const MOST: usize = 24;

const NAMES: &[&str] = &[
    "f",
    "l",
    "list",
    "d",
    "d/b.txt",
    "d/x",
    "src",
    "src/a.txt",
    "new",
    "new/x",
    "a",
    "a/b",
    "../up",
    "s",
    "s/x",
    "/tmp/t",
    "../cwd/f",
    "./d/../f",
    "d/",
    "dangling",
    "sub/../f",
    "$PWD/a",
    "/case/cwd/d",
    "..",
    "../other",
];

/// Operations; `@` and `%` stand for names.
const OPERATIONS: &[&str] = &[
    "echo x > @",
    "echo x >> @",
    ": > @",
    "cat @",
    "cat < @ > %",
    ": <> @",
    "cp @ %",
    "cp -a @ %",
    "mv @ %",
    "mv -f @ %",
    "mv -T @ %",
    "rm @",
    "rm -rf @",
    "rmdir @",
    "mkdir @",
    "mkdir -p @/%",
    "ln @ %",
    "ln -s @ %",
    "ln -sf @ %",
    "ln -sfn @ %",
    "ln -sr @ %",
    "ln -f @ %",
    "touch @",
    "touch -a @",
    "touch -r @ %",
    "touch -d 2001-01-01 @",
    "touch -h @",
    "chmod 600 @",
    "chmod +x @",
    "chmod -R u+w,g-w @",
    "truncate -s 3 @",
    "truncate -s 0 @",
    "sed -i s/x/y/ @",
    "sed -i.bak s/a/b/ @",
    "sed -n 'w %' @",
    "sed --follow-symlinks -i p @",
    "mkfifo @",
    "cd @",
    "cd @ && echo x > ../%",
    "cd -",
    "cd \"$OLDPWD\"",
    "cd /case/cwd",
    "printf '#!/bin/sh\\ncat %\\n' > @; chmod +x @",
    "cp /bin/true @",
    "./@",
    "@",
    "dd if=@ of=% status=none",
    "tee @ % < f",
    "install -m 700 @ %",
    "cp --remove-destination @ %",
    "cp -l @ %",
    "cp -s @ %",
    "mv @ %/",
    "sort -o @ @",
    "split -l 1 @ %",
    "find @ -delete",
    "tar cf @ %",
    "exec 3> @",
    "echo y >&3",
    "exec 4< @",
    "mv -n @ %",
    "mv -b @ %",
    "tar xf @",
    "ln -L @ %",
    "ln -P @ %",
    "mktemp @.XXXXXX",
    "mktemp -d @.XXXXXX",
    "gzip -k @",
    "set -C; echo z > @",
    "(cd @; rm -r ../@; echo x > y)",
    "mv @ %; mv % @",
    "patch",
    "cp -r @ %",
    "rm -r @; mkdir @; mv % @/",
];

/// What joins an operation to the next.
const JOINTS: &[&str] = &["\n", "; ", " && ", " || ", " | ", " & wait; "];

/// Decodes any bytes to a script for bash, whose errors are not shown.
pub fn files(bytes: &[u8]) -> String {
    let mut bytes: Decoder<'_, Construct> = Decoder::new(bytes, MOST * 4);
    let mut script = String::from("exec 2>/dev/null\n");
    for turn in 0..=bytes.below(MOST) {
        if turn > 0 {
            let even = bytes.chance(70);
            script += if even { "\n" } else { bytes.pick(JOINTS) };
        }
        let operation: &str = bytes.pick(OPERATIONS);
        let names: [&str; 2] = [bytes.pick(NAMES), bytes.pick(NAMES)];
        for character in operation.chars() {
            match character {
                '@' => script += names[0],
                '%' => script += names[1],
                _ => script.push(character),
            }
        }
    }
    script.push('\n');
    script
}
