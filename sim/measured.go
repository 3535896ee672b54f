package sim

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/canvass-grid/canvass/protocol"
)

// ErrNotGiven is wrapped by the error about a plan whose measured latencies were not supplied.
var ErrNotGiven = errors.New("the plan's measured latencies were not supplied")

// Sites are the positions of a file of measured latencies, numbered from 0, with the latency from
// each to each. Package sim/latency reads them.
type Sites interface {
	Latency
	Sites() int
}

// Measured is how a plan names measured latencies: "measured DIGEST SALT FILE". This package opens
// no file. A program that runs such a plan reads the file, checks the digest, and sets
// [Plan.Sites].
type Measured struct {
	Digest string // of the content: DigestDigits hexadecimal digits of its SHA-256
	Salt   uint64 // draws the site of each node; 0: node i is at site i modulo their number
	File   string
}

// DigestDigits is the number of digits of a digest in a plan.
const DigestDigits = 16

var measuredText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`^measured ([0-9a-f]{` + strconv.Itoa(DigestDigits) + `}) (0|[1-9][0-9]{0,18}) (\S(?:.*\S)?)$`,
	)
})

// ParseMeasured reads the name of measured latencies. It reports false if the text names another
// kind of latency.
func ParseMeasured(text string) (m Measured, measured bool, err error) {
	if word, _, _ := strings.Cut(text, " "); word != "measured" {
		return m, false, nil
	}
	parts := measuredText().FindStringSubmatch(text)
	if parts == nil {
		return m, true, fmt.Errorf(
			"%w: %q; a plan names measured latencies as \"measured DIGEST SALT FILE\"",
			ErrLatency,
			text,
		)
	}
	salt, err := strconv.ParseUint(parts[2], 10, 63)
	if err != nil {
		return m, true, fmt.Errorf("%w: %q: the salt is too large", ErrLatency, text)
	}
	return Measured{parts[1], salt, parts[3]}, true, nil
}

// String writes it as [ParseMeasured] reads it.
func (m Measured) String() string { return fmt.Sprintf("measured %s %d %s", m.Digest, m.Salt, m.File) }

// Placed is the latency between nodes that are placed at sites.
type Placed struct {
	sites Sites
	order []int // site of each node; nil: node i is at site i
}

// Place draws the site of each node from a salt. No site is used twice before all are used.
func Place(sites Sites, salt uint64) Placed {
	if salt == 0 {
		return Placed{sites: sites}
	}
	order, c := make([]int, sites.Sites()), NewChance(salt, 0)
	for i := range order {
		j := int(c.Below(uint64(i + 1)))
		order[i], order[j] = order[j], i
	}
	return Placed{sites, order}
}

// Micros implements [Latency].
func (p Placed) Micros(from, to protocol.Address, c *Chance) int64 {
	return p.sites.Micros(p.site(from), p.site(to), c)
}

// Way is the mean of both directions.
func (p Placed) Way(from, to protocol.Address) int64 {
	return (p.Micros(from, to, nil) + p.Micros(to, from, nil)) / 2
}

func (p Placed) site(a protocol.Address) protocol.Address {
	if p.order == nil {
		return a
	}
	return protocol.Address(p.order[int(a)%len(p.order)])
}

// Delays returns the latency of a plan.
func (p *Plan) Delays() (Latency, error) {
	m, measured, err := ParseMeasured(p.Latency)
	switch {
	case err != nil:
		return nil, err
	case !measured:
		return ParseLatency(p.Latency)
	case p.Sites == nil:
		return nil, fmt.Errorf(
			"%w: %w: read the file %s with digest %s, and set Plan.Sites",
			ErrPlan,
			ErrNotGiven,
			m.File,
			m.Digest,
		)
	}
	return Place(p.Sites, m.Salt), nil
}
