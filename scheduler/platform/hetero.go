package platform

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

// The sizes and speeds of the clusters of a drawn grid. Each is half as likely as the one ahead of
// it, so small and slow machines are the most frequent, as on desktop grids.
var (
	heteroNodes  = []int{8, 16, 32, 64, 128, 256}
	heteroSpeeds = []int{1_000, 1_500, 2_000, 3_000, 4_000} // permille
)

// parseHetero reads "hetero:SEED,N" and draws clusters until they have N nodes.
func parseHetero(text, setting string) (*scheduler.Platform, error) {
	const want = "a seed and the number of nodes, as in hetero:1,500"
	left, right, ok := strings.Cut(setting, ",")
	seed, err := strconv.ParseUint(left, 10, 64)
	if !ok || err != nil {
		return nil, &InvalidError{text, fmt.Sprintf("%q, want %s", setting, want)}
	}
	nodes, err := parseNodes(text, right, want)
	if err != nil {
		return nil, err
	}
	draw := scheduler.Stream(seed, "hetero clusters")
	skewed := func(all []int) int {
		for _, v := range all[:len(all)-1] {
			if draw.IntN(2) == 0 {
				return v
			}
		}
		return all[len(all)-1]
	}
	p := &scheduler.Platform{Name: fmt.Sprintf("hetero:%d,%d", seed, nodes)}
	for left := nodes; left > 0; {
		c := cluster("c"+strconv.Itoa(len(p.Clusters)), min(left, skewed(heteroNodes)), 1, EthernetNanos)
		if draw.IntN(2) == 0 && c.Nodes > 1 {
			c.DiameterNanos = MyrinetNanos
		}
		c.SpeedPermille = skewed(heteroSpeeds)
		p.Clusters = append(p.Clusters, c)
		left -= c.Nodes
	}
	return p, nil
}
