// Package verbatim implements text that keeps its bytes in JSON: names of files, arguments and
// variables of tasks, and lines of their output. On Linux these are bytes and need not be UTF-8.
// Package encoding/json replaces each byte that is not UTF-8 by U+FFFD, without an error.
//
// # Usage
//
// Give a field that has bytes of users the type [Text] or [List]. Nothing else changes: valid UTF-8
// is encoded as encoding/json does it.
//
// # Guarantees
//
//   - Unharmed: decoding returns the bytes that were encoded.
//   - Compatible: a byte 80 to ff that is not part of UTF-8 is the escape \udc80 to \udcff in JSON,
//     a lone surrogate. Python reads it as os.fsdecode has such names (surrogateescape, PEP 383).
//     Other readers see U+FFFD in its place.
//
// # Assumptions
//
//   - The JSON is read with this package. Any other lone surrogate is decoded as U+FFFD, and a byte
//     of the JSON that is no UTF-8 is kept.
package verbatim
