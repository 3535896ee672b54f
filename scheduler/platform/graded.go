package platform

import (
	"math"
	"strconv"

	"github.com/canvass-grid/canvass/scheduler"
)

// The sizes of the smallest and the largest cluster of a graded grid.
const (
	gradedLeast = 16
	gradedMost  = 1_024
)

// parseGraded reads "graded:C": C clusters from 16 to 1,024 nodes, each larger than the last by the
// same factor. 40 of them have about 10,000 nodes.
func parseGraded(text, setting string) (*scheduler.Platform, error) {
	const want = "the number of clusters, at least two, as in graded:40"
	clusters, err := parseNodes(text, setting, want)
	if err != nil {
		return nil, err
	}
	if clusters < 2 || clusters > MaxNodes/gradedMost {
		return nil, &InvalidError{text, strconv.Itoa(clusters) + ", want 2 to " + strconv.Itoa(MaxNodes/gradedMost)}
	}
	p := &scheduler.Platform{Name: "graded:" + strconv.Itoa(clusters)}
	span := math.Log2(gradedMost) - math.Log2(gradedLeast)
	for i := range clusters {
		factor := math.Exp2(float64(span*float64(i)) / float64(clusters-1))
		nodes := int(math.Round(float64(gradedLeast * factor)))
		p.Clusters = append(p.Clusters, cluster("c"+strconv.Itoa(i), nodes, 1, EthernetNanos))
	}
	return p, nil
}
