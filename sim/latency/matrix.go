package latency

import (
	"io"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// Matrix holds the latency of each ordered pair of sites.
type Matrix struct {
	// Names of the sites, if the file has them.
	Names []string
	// Dropped are the names of sites that were left out, because too few of their latencies are known.
	Dropped []string
	sites   int
	micros  []uint32 // one way, row by row
}

var _ sim.Latency = (*Matrix)(nil)

// Sites is the number of sites.
func (m *Matrix) Sites() int { return m.sites }

// Micros implements [sim.Latency].
func (m *Matrix) Micros(from, to protocol.Address, _ *sim.Chance) int64 {
	return int64(m.micros[int(from)%m.sites*m.sites+int(to)%m.sites])
}

// oneWay is the latency of a message, by the round-trip time.
func oneWay(micros int64) uint32 { return uint32(max(1, micros/2)) }

// ReadMatrix reads a square of round-trip times.
func ReadMatrix(r io.Reader) (*Matrix, error) {
	m, l := &Matrix{}, newLines(r)
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		fields := strings.Fields(line)
		switch {
		case m.sites == 0 && len(fields) > MaxSites:
			return nil, l.wrong("%d columns; at most %d are read", len(fields), MaxSites)
		case len(fields) == 0:
			return nil, l.wrong("is empty")
		case m.sites == 0:
			m.sites = len(fields)
		case len(fields) != m.sites:
			return nil, l.wrong("has %d columns, the first line has %d", len(fields), m.sites)
		case l.number > m.sites:
			return nil, l.wrong("is one too many: there are %d columns", m.sites)
		}
		for i, field := range fields {
			micros, ok := millis(field)
			if !ok || micros < 0 {
				return nil, l.wrong("column %d: %.40q is no time in milliseconds, such as 1024.5", i+1, field)
			}
			m.micros = append(m.micros, oneWay(micros))
		}
	}
	if err := l.end(); err != nil {
		return nil, err
	}
	if l.number != m.sites || m.sites == 0 {
		return nil, l.wrong("is the last; there are %d columns", m.sites)
	}
	return m, nil
}
