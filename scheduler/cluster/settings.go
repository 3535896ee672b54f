package cluster

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/protocol/refine"
)

// Settings say which clusters are wanted.
type Settings struct {
	Size          int   // N: the most hosts of a cluster, its head included
	Memberships   int   // M: the most clusters of a host, its own included
	DiameterNanos int64 // no pair of a cluster is farther apart
	Criterion     refine.Criterion
	Aggregate     int // how many hosts a host reports to each neighbour in the tree
}

// Bounds of settings. An advertised cluster must fit into a message, and twice a latency into 32
// bits.
const (
	MaxSize     = 4095
	maxDiameter = time.Second
)

// usualDiameter covers Ethernet inside a cluster, so that no host stays alone for its network.
const usualDiameter = 200 * time.Microsecond

// Defaults are the settings of the paper for a size: as many memberships as hosts, the greedy
// criterion, and twice as many hosts aggregated. The paper gives no diameter for scheduling.
func Defaults(size int) Settings {
	return Settings{size, size, usualDiameter.Nanoseconds(), refine.Greedy, 2 * size}
}

// Validate says which setting is out of range.
func (s *Settings) Validate() error {
	switch {
	case s.Size < 2 || s.Size > MaxSize:
		return fmt.Errorf("clusters of %d hosts: want 2 to %d", s.Size, MaxSize)
	case s.Memberships < 1 || s.Memberships > MaxSize:
		return fmt.Errorf("memberships %d: want 1 to %d, the host's own cluster included", s.Memberships, MaxSize)
	case s.DiameterNanos < 1 || s.DiameterNanos > maxDiameter.Nanoseconds():
		return fmt.Errorf("diameter %v: want more than 0 and at most %v", time.Duration(s.DiameterNanos), maxDiameter)
	case s.Aggregate < 1 || s.Aggregate > 2*MaxSize:
		return fmt.Errorf("aggregate %d: want 1 to %d", s.Aggregate, 2*MaxSize)
	}
	return nil
}

// criteria are the names of the criteria, in their order.
var criteria = []string{"first-come", "global-order", "greedy"}

// ParseCriterion reads the name of a criterion.
func ParseCriterion(name string) (refine.Criterion, error) {
	for i, known := range criteria {
		if name == known {
			return refine.Criterion(i), nil
		}
	}
	return 0, fmt.Errorf("criterion is %q; %s", name, usage.Question(usage.Nearest(name, criteria), criteria))
}

// ParseSettings reads "64,memberships=8,diameter=10us,criterion=greedy,aggregate=64": a size, and
// differences from [Defaults]. Settings with other names are returned to the caller, in order.
func ParseSettings(text string) (s Settings, others []string, err error) {
	size, rest, _ := strings.Cut(text, ",")
	n, err := strconv.Atoi(size)
	if err != nil {
		return s, nil, fmt.Errorf("%q is no size of clusters: want 2 to %d", size, MaxSize)
	}
	s = Defaults(n)
	for part := range strings.SplitSeq(rest, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "memberships":
			s.Memberships, err = strconv.Atoi(value)
		case "aggregate":
			s.Aggregate, err = strconv.Atoi(value)
		case "diameter":
			var d time.Duration
			d, err = time.ParseDuration(value)
			s.DiameterNanos = d.Nanoseconds()
		case "criterion":
			s.Criterion, err = ParseCriterion(value)
		case "":
		default:
			others = append(others, part)
		}
		if err != nil {
			return s, nil, fmt.Errorf("clusters %q: %w", text, err)
		}
	}
	return s, others, s.Validate()
}
