// Package plot implements the figures of scheduling experiments: SVG pictures, each with a CSV of
// its data, and one self-contained HTML page of many figures.
//
// The package takes plain data. It does not depend on rows, policies or experiments, so the
// captions, with input, seeds and commit, are the caller's.
//
//	Bars   means with intervals and published values, one row a group
//	Lines  a measure over a parameter, with intervals
//	CDF    empirical distribution functions
//	Heat   a table whose cells are coloured by their numbers
//	Gantt  which nodes ran what and when, one band a cluster
//	Steps  a quantity over time, such as the length of a queue
//
// # Usage
//
// Each constructor takes a specification and returns a [Figure]. Write its SVG and CSV to files,
// or give several figures to [Page].
//
// # Guarantees
//
//   - Repeatable: equal data give equal bytes. There are no dates, random numbers or map orders.
//   - Checked: data that cannot be drawn honestly are an error that names the place ([DataError]).
//   - Harmless: figures have no scripts. Pages have one, which enlarges figures, and allow no
//     other; they load nothing. Labels are escaped.
//   - Complete: the CSV has every number given. Only the picture joins steps that are less than
//     half a point apart, so a figure of a million values is still small.
//   - Readable: colours are those of Okabe and Ito (2008), which colour-blind readers can tell
//     apart. Lines also differ by their dashes and are labelled directly.
//   - Bounded: a page is at most [MaxPageBytes] long.
//
// # Assumptions
//
//   - Axis labels name their units. The package cannot check that.
//   - A viewer obeys textLength, or has Liberation Sans, Arial or Helvetica. Otherwise labels may
//     touch.
package plot
