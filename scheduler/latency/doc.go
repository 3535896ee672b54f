// Package latency makes latencies among hosts, predicts them in trees and in coordinates, and says
// how wrong the predictions are. It repeats the comparison of Jackson (2015), sections 5.2.1 and
// 5.2.2: DTM, Vivaldi and GNP.
//
// # Usage
//
// [Parse] makes an [Input] from a text, or use [Tree], [Umiacs], [Place] or [ReadMatrix]. [DTM],
// [Vivaldi] and [GNP] make a [Predictor] of it. [Compare] computes the errors over all pairs.
//
// # Guarantees
//
//   - Repeatable: equal inputs and seeds give equal predictions on every machine. Products are
//     rounded before they are added, and no function of package math is used but the square root
//     and roundings, which are exact everywhere.
//   - One decision: the tree is built by the functions of package dtm, which nodes use as well.
//   - Measured only: a predictor looks at latencies only where its algorithm measures. [Anchors]
//     counts these.
//
// # Assumptions
//
//   - Latencies do not change while a predictor is built. A measurement adds no noise to the input.
//   - Hosts join the tree one after the other. Nodes that join at once may see older views.
//   - Where the papers leave a choice, this is our interpretation: the sizes of simulated joins
//     (package dtm); all hosts try the same starts in GNP, which was chosen after trials with both;
//     hosts take turns in Vivaldi.
package latency
