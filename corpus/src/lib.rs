//! Cases on disk.
