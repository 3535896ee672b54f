// Package flight implements the flight recorder of a daemon: it writes every input of every core,
// with a digest of each output, and a later check steps the cores again and compares.
//
// # Usage
//
// The daemon makes one [Recorder] for each of its incarnations with [New]. Then, from one goroutine
// or several:
//
//  1. Call [Recorder.Snapshot] with the states of all cores, before the first input and whenever
//     [Recorder.Due] reports true. A new segment begins there.
//  2. Call [Recorder.Begin] for a core that is made later, and [Recorder.End] when one is dropped.
//  3. Call [Recorder.Input] before each step and [Recorder.Output] after it. Encodings and digests
//     are those of protocol.AppendInput, protocol.AppendOutput and protocol.Hash.
//  4. Call [Recorder.Sent] when an envelope leaves, if a reader needs its frame.
//  5. Call [Recorder.Flush] before the process ends in a controlled way, a panic included.
//
// [Open] reads a segment record by record. [Verify] reads files of one or more incarnations, steps
// the cores of this build with the recorded inputs, and names the first step that differs; [Walk]
// shows the steps meanwhile. [Merge] joins the peer cores of several nodes into one run, which
// package traces replays on a [Production].
//
// # Guarantees
//
//   - Lossless: missing records are counted as a gap in the file, and nothing follows a gap but a
//     new snapshot.
//   - Bounded: the segments of a folder have about [TotalBytes] at most; the oldest are deleted
//     first. Unwritten records take about [MemoryBytes] at most.
//   - NeverWaits: no method but Flush and Close waits for the disk.
//   - Detected: a changed byte is found, and its place is named. A file that ends within a record
//     is read up to there, with a note, since a crash leaves such files.
//   - Enabled: in a merged run each delivery is of a message that was sent to that incarnation,
//     each time-out of a pending timer, each answer to a question, and in range. Merge names the
//     first step that is not so.
//   - FirstDifference: Verify reports the first step whose output or state is not the recorded one.
//
// # Assumptions
//
//   - The bytes of an input are recorded before its step. Otherwise a panic of a step is not in the
//     record.
//   - Records of one core come in the order of its steps. Otherwise Verify reports a difference.
//   - The process has up to [FlushEvery] of records in memory. A kill -9 loses them.
//   - Messages are followed by their content: either of two equal messages in flight may be the
//     delivered one. Steps that no message orders have the order of their times, so the clocks of
//     the nodes are one, or it is one of several possible runs.
//   - The last messages of an incarnation that was killed may be in no record. A merge accepts
//     deliveries of unrecorded messages, but only from incarnations whose records have ended, and
//     counts them.
//   - The name of an incarnation is used once in a folder. Otherwise nothing of the later
//     incarnation is recorded, and Flush says so.
package flight
