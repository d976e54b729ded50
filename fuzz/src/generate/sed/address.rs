//! Addresses of a command, in every form.

use super::Draft;
use super::construct::Construct::*;

/// Line numbers that the inputs have; see [`super::input`].
const LINES: [&[u8]; 8] = [b"1", b"2", b"3", b"5", b"7", b"9", b"12", b"01"];

impl Draft<'_> {
    /// Writes up to `most` addresses, rarely more, and what may stand between them and the command.
    pub(super) fn addresses(&mut self, text: &mut Vec<u8>, most: usize) {
        let wanted = self.bytes.weighted(&[(48, 0), (32, 1), (20, 2)]);
        let count = if wanted <= most || self.bytes.chance(5) {
            wanted
        } else {
            most
        };
        if count == 0 {
            return;
        }
        if count == 2 {
            self.range(text);
        } else {
            self.address(text);
        }
        if self.bytes.chance(8) {
            self.bytes.mark(AddressBlanks);
            text.extend(b" \t");
        }
        if self.bytes.chance(10) {
            self.bytes.mark(AddressNot);
            text.push(b'!');
            match self
                .bytes
                .weighted(&[(76, b"".as_slice()), (14, b" "), (5, b"!"), (5, b" !")])
            {
                blank @ (b"" | b" ") => text.extend(blank),
                second => {
                    self.bytes.mark(AddressNotTwice);
                    text.extend(second);
                }
            }
        }
    }

    fn range(&mut self, text: &mut Vec<u8>) {
        self.bytes.mark(AddressRange);
        if self.bytes.chance(8) {
            self.bytes.mark(AddressZeroRegex);
            text.extend(b"0,");
            self.regex_address(text, false);
            return;
        }
        self.address(text);
        let comma: &[u8] = self
            .bytes
            .weighted(&[(86, b",".as_slice()), (7, b" , "), (7, b",\t")]);
        text.extend(comma);
        match self.bytes.weighted(&[
            (70, None),
            (15, Some(AddressPlus)),
            (15, Some(AddressMultiple)),
        ]) {
            None => self.address(text),
            Some(form) => {
                self.bytes.mark(form);
                text.push(if form == AddressPlus { b'+' } else { b'~' });
                let number: &[u8] = self.bytes.weighted(&[
                    (60, b"2".as_slice()),
                    (10, b"0"),
                    (10, b" 3"),
                    (20, b""),
                ]);
                text.extend(number);
                if number.is_empty() {
                    self.bytes.mark(if form == AddressPlus {
                        AddressPlusEmpty
                    } else {
                        AddressMultipleEmpty
                    });
                }
            }
        }
    }

    fn address(&mut self, text: &mut Vec<u8>) {
        let form = self.bytes.weighted(&[
            (40, AddressNumber),
            (14, AddressLast),
            (30, AddressRegex),
            (8, AddressCustom),
            (8, AddressStep),
            (1, AddressZero),
            (2, NumberLarge),
        ]);
        self.bytes.mark(form);
        match form {
            AddressLast => text.push(b'$'),
            AddressRegex => self.regex_address(text, false),
            AddressCustom => self.regex_address(text, true),
            AddressStep => {
                let step: &[u8] = self.bytes.weighted(&[
                    (40, b"1~2".as_slice()),
                    (20, b"0~3"),
                    (10, b"2 ~ 2"),
                    (10, b"1~0"),
                    (20, b"1~"),
                ]);
                text.extend(step);
                if step.ends_with(b"~") {
                    self.bytes.mark(AddressStepEmpty);
                }
            }
            AddressZero => text.push(b'0'),
            NumberLarge => {
                let number: &[u8] = self.bytes.pick(&[
                    b"99".as_slice(),
                    b"4294967297",
                    b"18446744073709551617",
                    b"1~18446744073709551617",
                ]);
                text.extend(number);
            }
            _ => {
                let number = self.bytes.pick(&LINES);
                text.extend(number);
            }
        }
    }

    fn regex_address(&mut self, text: &mut Vec<u8>, custom: bool) {
        let delimiter = if custom { self.delimiter() } else { b"/" };
        if custom {
            text.push(b'\\');
        }
        text.extend(delimiter);
        self.regex(text, delimiter);
        self.close(text, delimiter);
        for _ in 0..self.bytes.weighted(&[(80, 0), (15, 1), (5, 2)]) {
            let (flag, letter): (_, &[u8]) = self.bytes.pick(&[
                (AddressFlagI, b"I".as_slice()),
                (AddressFlagM, b"M"),
                (AddressFlagI, b" I"),
            ]);
            self.bytes.mark(flag);
            text.extend(letter);
        }
    }
}
