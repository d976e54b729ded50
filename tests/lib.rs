//! The box is shared by the test programs of this package.
