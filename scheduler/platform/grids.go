package platform

import (
	"fmt"

	"github.com/canvass-grid/canvass/scheduler"
)

// A grid is a platform that exists or existed.
type grid struct {
	name, sentence string
	byNode         bool // machines are the nodes unless a setting says otherwise; else processors are
	sites          []site
}

type site struct {
	name              string
	nodes, processors int
	diameterNanos     int64
}

// grids returns the table. SHARCNET and DAS2: Jackson (2015), section 4.3. MetaCentrum: the page of
// the log METACENTRUM-2009-2 in the Parallel Workloads Archive; cluster i of that page is taken to
// be partition i+1 of the log.
func grids() []grid {
	return []grid{
		{
			"sharcnet", "SHARCNET: 10 clusters, 2,091 nodes; unit=cpu: 6,828 processors.", true,
			[]site{
				{"whale", 768, 3072, EthernetNanos}, {"requin", 768, 1536, MyrinetNanos},
				{"narwhal", 267, 1068, MyrinetNanos}, {"bull", 96, 384, MyrinetNanos},
				{"bala", 32, 128, MyrinetNanos}, {"bruce", 32, 128, MyrinetNanos}, {"dolphin", 32, 128, MyrinetNanos},
				{"megaminx", 32, 128, MyrinetNanos}, {"tiger", 32, 128, MyrinetNanos}, {"zebra", 32, 128, MyrinetNanos},
			},
		}, {
			"das2", "DAS2: 5 clusters, 200 nodes of two processors; unit=cpu: 400 processors.", true,
			[]site{
				{"fs0", 72, 144, MyrinetNanos}, {"fs1", 32, 64, MyrinetNanos}, {"fs2", 32, 64, MyrinetNanos},
				{"fs3", 32, 64, MyrinetNanos}, {"fs4", 32, 64, MyrinetNanos},
			},
		}, {
			"metacentrum", "MetaCentrum of 2009: 14 clusters, 806 processors; unit=node: 232 machines.", false,
			[]site{
				{"1", 8, 8, EthernetNanos}, {"2", 16, 16, EthernetNanos}, {"3", 10, 10, EthernetNanos},
				{"4", 5, 80, EthernetNanos}, {"5", 16, 32, EthernetNanos}, {"6", 32, 64, EthernetNanos},
				{"7", 36, 148, EthernetNanos}, {"8", 35, 70, EthernetNanos}, {"9", 10, 20, EthernetNanos},
				{"10", 3, 6, EthernetNanos}, {"11", 23, 92, EthernetNanos}, {"12", 19, 152, EthernetNanos},
				{"13", 8, 64, EthernetNanos}, {"14", 11, 44, EthernetNanos},
			},
		},
	}
}

// parse makes the platform. A setting that changes nothing does not show in its name.
func (g grid) parse(text, setting string, set bool) (*scheduler.Platform, error) {
	byNode := g.byNode
	switch {
	case !set:
	case setting == "unit=node":
		byNode = true
	case setting == "unit=cpu":
		byNode = false
	default:
		return nil, &InvalidError{text, fmt.Sprintf("%q, want unit=cpu or unit=node", setting)}
	}
	p := &scheduler.Platform{Name: g.name}
	if byNode != g.byNode {
		p.Name = text
	}
	for _, s := range g.sites {
		nodes, processors := s.processors, 1
		if byNode {
			nodes, processors = s.nodes, s.processors/s.nodes
		}
		p.Clusters = append(p.Clusters, cluster(s.name, nodes, processors, s.diameterNanos))
	}
	return p, nil
}
