//! How do the pool and a worker talk? Length-prefixed messages on a stream socket.

use super::Observation;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

/// Longest message in bytes; a longer one is a broken peer.
const LONGEST: usize = 256 << 20;

/// What the worker sends first.
#[derive(Serialize, Deserialize)]
pub(super) enum Hello {
    /// The box stands.
    Ready,
    /// This step of building it failed, with this error number.
    Refused { step: String, errno: i32 },
}

/// What the worker answers to a [`super::Job`].
#[derive(Serialize, Deserialize)]
pub(super) struct Reply {
    /// The observation, and what the form could not do faithfully; or why the job could not be run as it stands.
    pub(super) outcome: Result<(Observation, BTreeSet<String>), String>,
    /// Why the worker must not be used again.
    pub(super) spent: Option<String>,
}

/// One end of the socket.
pub(super) struct Wire {
    socket: UnixStream,
    buffer: Vec<u8>,
}

impl Wire {
    pub(super) fn new(socket: UnixStream) -> Self {
        Self {
            socket,
            buffer: vec![0; 64 << 10],
        }
    }

    pub(super) fn socket(&self) -> &UnixStream {
        &self.socket
    }

    pub(super) fn send(&mut self, message: &impl Serialize) -> io::Result<()> {
        let mut bytes = postcard::to_extend(message, vec![0; 4]).map_err(io::Error::other)?;
        let length = bytes.len() - 4;
        if length > LONGEST {
            return Err(io::Error::other(format!(
                "message of {length} bytes is too long"
            )));
        }
        bytes[..4].copy_from_slice(&(length as u32).to_le_bytes());
        self.socket.write_all(&bytes)
    }

    /// The next message. The peers take turns, so nothing of a later one is read.
    pub(super) fn receive<T: DeserializeOwned>(&mut self) -> io::Result<T> {
        let mut have = 0;
        let mut want = 4;
        loop {
            if have >= 4 {
                let length =
                    u32::from_le_bytes(self.buffer[..4].try_into().expect("four bytes")) as usize;
                if length > LONGEST {
                    return Err(io::Error::other(format!(
                        "message of {length} bytes is too long"
                    )));
                }
                want = 4 + length;
                if self.buffer.len() < want {
                    self.buffer.resize(want, 0);
                }
            }
            if have >= 4 && have >= want {
                let message = postcard::from_bytes(&self.buffer[4..want]).map_err(io::Error::other);
                self.buffer.truncate(64 << 10);
                return message;
            }
            match self.socket.read(&mut self.buffer[have..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(read) => have += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
