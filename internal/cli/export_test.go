package cli

import "io"

// Worst are the codes in the order in which they outrank each other.
var Worst = worst

// NoCommit is that of a build which does not record it.
const NoCommit = unknown

// WithCommit is a build whose linker was given a commit.
func (b Build) WithCommit(linked string) Build { return b.withCommit(linked) }

// LiveProgress is progress on a terminal of some width.
func LiveProgress(to io.Writer, columns int) *Progress {
	return &Progress{to: to, live: true, columns: columns}
}
