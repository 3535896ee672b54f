// Package sim is a deterministic world.
package sim
