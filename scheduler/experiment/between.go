package experiment

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/embed"
)

// sameLatency is the value of the setting between by which all messages take equally long.
const sameLatency = "same"

// mostTimes bounds how many times as far apart sites can be.
const mostTimes = 1_000

// between makes the latencies of messages between two clusters: one time for all, or those of
// sites at which the clusters are, drawn by the seed. A message takes half of a round trip, and
// never less than within a cluster.
func (l *Lab) between(c *Cell, p *scheduler.Platform, seed uint64) (func(a, b int) int64, error) {
	text := c.Get("between")
	if text == sameLatency {
		return nil, nil
	}
	within, err := micros("latency", c.Get("latency"))
	if err != nil {
		return nil, asUsage(err)
	}
	if _, err := time.ParseDuration(text); err == nil {
		all, err := micros("between", text)
		return func(int, int) int64 { return all }, asUsage(err)
	}
	name, factor, scaled := strings.Cut(text, "*")
	times := int64(1)
	if scaled {
		if times, err = strconv.ParseInt(factor, 10, 64); err != nil || times < 1 || times > mostTimes {
			return nil, usage.Errorf("between is %q: use a whole number of times from 1 to %d, as in median*10",
				text, mostTimes)
		}
	}
	sites, err := embed.SitesOf(name, l.Data, seed)
	switch {
	case errors.Is(err, embed.ErrNoData):
		return nil, noData{err}
	case err != nil:
		return nil, usage.Errorf("between is %q: use same, a time such as 50ms, or the sites plane, median, mean "+
			"or lowest, as in median or median*10", text)
	}
	at := siteOf(p)
	sites = embed.First(sites, at[len(at)-1]+1, seed)
	return func(a, b int) int64 {
		roundTrip := sites.Nanos(at[a]%sites.Hosts, at[b]%sites.Hosts)
		return max(within, times*roundTrip/2_000)
	}, nil
}

// siteOf numbers the sites of clusters. Groups into which a cluster was cut are at one site.
func siteOf(p *scheduler.Platform) []int {
	at := make([]int, len(p.Clusters))
	known := map[string]int{}
	for c := range p.Clusters {
		name, _, _ := strings.Cut(p.Clusters[c].Name, "/")
		if _, there := known[name]; !there {
			known[name] = len(known)
		}
		at[c] = known[name]
	}
	return at
}

// micros reads a time of whole microseconds.
func micros(setting, text string) (int64, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d%time.Microsecond != 0 {
		return 0, fmt.Errorf("%s is %q: use a time of whole microseconds, such as 50ms or 1s", setting, text)
	}
	return d.Microseconds(), nil
}
