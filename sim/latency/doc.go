// Package latency reads measured latencies, for use as the sim.Latency of a network.
//
// # Usage
//
// [ReadFile] recognises a format by the first line of a file, unpacks a file packed with gzip, and
// computes the digest by which plans name the file (sim.Measured). Or read one format:
//
//   - [ReadMatrix]: a square of round-trip times in milliseconds, one row a line, columns separated
//     by blanks or tabs. The slices of the PlanetLab measurements of Zhu et al. (IEEE/ACM
//     Transactions on Networking 25, 2017) have this format.
//   - [ReadPairs]: comma-separated values with a header, one line for each pair of sites. The
//     columns are found by name: src, dst, avg_ms (ping tables of WonderNetwork) or cty1, cty2,
//     rtt_avg (RIPE Atlas, by country).
//   - [ReadCoordinates]: Vivaldi coordinates "id x y h height", in milliseconds, with # before a
//     comment, as SimGrid ships them. The round-trip time of two sites is the distance of their
//     points plus both heights.
//
// # Guarantees
//
//   - Strict: a file that does not have the format is an error that wraps [ErrFormat] and names the
//     line. Nothing is guessed. Numbers are plain decimals, rounded to whole microseconds.
//   - Bounded: at most [MaxSites] sites, lines of at most a megabyte, times of at most a thousand
//     seconds.
//   - Exact: no floating point, so that a file means the same on every machine.
//
// # Assumptions
//
//   - A message takes half a round trip, and at least a microsecond.
//   - Node i is at site i modulo the number of sites, so a network may have more nodes than the
//     file has sites. Nodes of one site are as far apart as the file says that the site is from
//     itself. A plan may draw the site of each node (sim.Place).
//   - A pair that was measured in one direction counts for both. If neither was measured, sites are
//     dropped, those with the most gaps first, until no gap remains.
package latency
