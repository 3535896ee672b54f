// Package config has the configuration of a daemon and of its grid, and the settings of one run.
// None of them changes while a daemon runs: state belongs in the parts of the daemon.
//
//	config.go     the file in the folder of a daemon: endpoints, contacts, resources
//	grid.go       the part that all daemons of a grid share, and the configurations of the cores
//	settings.go   options of the command line, and all settings of a run together
//
// # Usage
//
//  1. canvass node init makes a [DefaultGrid]; a node that joins receives the text of a grid, and
//     reads it with [ParseGrid].
//  2. [Config.Save] writes the configuration into the folder of a daemon, and [Load] reads it.
//
// # Guarantees
//
//   - Checked: Load and ParseGrid return a configuration that a daemon can use, or an [ErrConfig]
//     that names the file, the setting and the permitted values.
//   - Compared: two daemons have equal grids if, and only if, the [Grid.Hash] of both is equal.
//
// # Assumptions
//
//   - The file does not change while a daemon runs: it is read once.
package config
