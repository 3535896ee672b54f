package generate

import (
	"math"

	"github.com/canvass-grid/canvass/scheduler"
)

// The shape of the burst. Jackson (2015), section 4.3: at most 7 of 1,000 jobs exceed 64 nodes, and
// 70 of 1,000 are in the most frequent cell of figure 4.5.
const (
	burstNodes      = 2_091
	burstWhole      = 0.76  // share of the sizes that are powers of two by rounding
	burstLarge      = 0.007 // share above 64 nodes
	burstLargeLow   = 6
	burstLargeHigh  = 9.58 // 2^9.58 is just below the 768 nodes of the largest cluster
	burstCell       = 0.05
	burstCellNodes  = 2
	burstCellLow    = 32 // seconds
	burstCellHigh   = 64
	burstMostSizes  = 2 // sizes in the cell: burstCellNodes and the next
	burstSmallest   = 2
	burstSizeLow    = 0.8
	burstSizeMed    = 4.5
	burstSizeHigh   = 6
	burstFirstStage = 0.86
)

func sharcnetLike(v values, seed uint64) (*scheduler.Workload, error) {
	sizes, runs := scheduler.Stream(seed, "sharcnet-like sizes"), scheduler.Stream(seed, "sharcnet-like runs")
	cells, times := scheduler.Stream(seed, "sharcnet-like cells"), scheduler.Stream(seed, "sharcnet-like submits")
	serial := scheduler.Stream(seed, "sharcnet-like serial")
	run := classes(1)[0]
	size := class{uLow: burstSizeLow, uMed: burstSizeMed, uHi: burstSizeHigh, uProb: burstFirstStage}
	w := &scheduler.Workload{Nodes: burstNodes, Jobs: make([]scheduler.Job, int(v["N"]))}
	for i := range w.Jobs {
		log2Size := size.log2Size(sizes)
		whole, large := sizes.Float64() < burstWhole, sizes.Float64() < burstLarge
		switch {
		case large:
			log2Size = uniform(sizes, burstLargeLow, burstLargeHigh)
		case whole:
			log2Size = math.Round(log2Size)
		}
		nodes := max(burstSmallest, int(math.Round(exp2(log2Size))))
		seconds := float64(v["scale"] * run.runSeconds(runs, nodes))
		if cells.Float64() < burstCell {
			nodes = burstCellNodes + cells.IntN(burstMostSizes)
			seconds = uniform(cells, burstCellLow, burstCellHigh)
		}
		if serial.Float64() < v["serial"] { // in the place of a parallel job, so the others stay as they are
			nodes, seconds = 1, float64(v["scale"]*run.runSeconds(serial, 1))
		}
		w.Jobs[i] = newJob(micros(uniform(times, 0, v["span"])), micros(seconds), nodes)
	}
	w.Sort()
	return w, nil
}
