package latency

import (
	"io"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/sim"
)

// Coordinates holds a point in the plane for each site, and its height above the plane.
type Coordinates struct {
	points []point
}

// point is in microseconds.
type point struct{ x, y, height int64 }

var _ sim.Latency = (*Coordinates)(nil)

// Sites is the number of sites.
func (c *Coordinates) Sites() int { return len(c.points) }

// Micros implements [sim.Latency].
func (c *Coordinates) Micros(from, to protocol.Address, _ *sim.Chance) int64 {
	a, b := c.points[int(from)%len(c.points)], c.points[int(to)%len(c.points)]
	dx, dy := a.x-b.x, a.y-b.y
	return int64(oneWay(int64(root(uint64(dx*dx)+uint64(dy*dy))) + a.height + b.height))
}

// root is the square root, rounded down.
func root(square uint64) uint64 {
	low, high := uint64(0), uint64(1)<<32-1
	for low < high {
		if middle := low + (high-low+1)/2; middle*middle <= square {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}

// ReadCoordinates reads a list of coordinates. Sites are numbered from 0, in order.
func ReadCoordinates(r io.Reader) (*Coordinates, error) {
	c, l := &Coordinates{}, newLines(r)
	for {
		line, ok := l.next()
		if !ok {
			break
		}
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Fields(line)
		if len(fields) != 5 || fields[3] != "h" {
			return nil, l.wrong("is not \"id x y h height\"")
		}
		if fields[0] != strconv.Itoa(len(c.points)) {
			return nil, l.wrong("is of site %.40q, where %d comes next", fields[0], len(c.points))
		}
		var p point
		for _, f := range []struct {
			text string
			to   *int64
		}{{fields[1], &p.x}, {fields[2], &p.y}, {fields[4], &p.height}} {
			if *f.to, ok = millis(f.text); !ok || p.height < 0 {
				return nil, l.wrong("%.40q is no time in milliseconds", f.text)
			}
		}
		if len(c.points) == MaxSites {
			return nil, l.wrong("is one too many: at most %d sites are read", MaxSites)
		}
		c.points = append(c.points, p)
	}
	if err := l.end(); err != nil {
		return nil, err
	}
	if len(c.points) == 0 {
		return nil, l.wrong("is the last, and there is no site")
	}
	return c, nil
}
