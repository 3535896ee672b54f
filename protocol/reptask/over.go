package reptask

import (
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
)

// Over is the degree of over-provisioning: the number of dependents that are dispatched for each
// thousand that must start, or as many as the cluster has (OverTotal). A fraction is rounded up.
// Values from 1 to 999 are impossible, since all k dependents must start.
type Over uint32

// The least and the largest degree.
const (
	OverTotal Over = 0     // the whole cluster
	OverNone  Over = 1_000 // k
)

// Valid reports whether the degree is possible.
func (o Over) Valid() bool { return o == OverTotal || o >= OverNone }

// Dispatched is the number of hosts that an attempt has at a time, if the cluster is large enough.
func (s Spec) Dispatched() uint32 {
	if s.Over == OverTotal {
		return protocol.MaxItems
	}
	product := uint64(s.Size) * uint64(s.Over)
	return uint32(min((product+uint64(OverNone)-1)/uint64(OverNone), protocol.MaxItems))
}

// String names the degree, as in 1.5-fold.
func (o Over) String() string {
	switch o {
	case OverTotal:
		return "total"
	case OverNone:
		return "none"
	}
	whole := strconv.FormatUint(uint64(o/OverNone), 10)
	rest := strconv.FormatUint(uint64(OverNone+o%OverNone), 10)[1:] // three digits
	if rest = strings.TrimRight(rest, "0"); rest != "" {
		whole += "." + rest
	}
	return whole + "-fold"
}
