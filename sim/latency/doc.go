// Package latency reads measured latencies, for use as the sim.Latency of a network.
//
// # Formats
//
//   - [ReadMatrix]: a square of round-trip times in milliseconds, a line a row, columns separated
//     by blanks or tabs. So the slices of the PlanetLab measurements of Zhu et al. (IEEE/ACM
//     Transactions on Networking 25, 2017) are kept.
//   - [ReadPairs]: comma-separated values with a header, a line for each pair of sites. The columns
//     that count are found by their names: src, dst, avg_ms (ping tables of WonderNetwork) or cty1,
//     cty2, rtt_avg (RIPE Atlas, by country).
//   - [ReadCoordinates]: Vivaldi coordinates "id x y h height", in milliseconds, with # before a
//     comment. The round-trip time of two sites is the distance of their points and both heights.
//     So SimGrid ships them.
//
// [ReadFile] tells which of them a file is by its first line, unpacks it if it is packed with gzip,
// and digests it, for plans name a file by its digest (sim.Measured).
//
// # Guarantees
//
//   - Strict: what is not of the format is an error that wraps [ErrFormat] and names the line.
//     Nothing is guessed. Numbers are plain decimals, and are kept in whole microseconds.
//   - Bounded: at most [MaxSites] sites, lines of at most a megabyte, times of at most a thousand
//     seconds.
//   - Exact: no floating point, so that a file means the same on every machine.
//
// # Decisions
//
// The files hold round trips; a message takes half of one, and at least a microsecond. Node i sits
// at site i modulo the number of sites, so a network may have more nodes than the file has sites;
// nodes of one site are as far apart as the file says that the site is from itself. A plan may draw
// which node sits where (sim.Place). Of pairs, one that is measured in one direction only counts
// for both. Where neither is measured, sites are dropped, those that lack most first, until all
// that is left is known.
package latency
