package platform

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
)

// Diameters of clusters, in nanoseconds (Jackson 2015, section 4.3).
const (
	MyrinetNanos  int64 = 8_000
	EthernetNanos int64 = 150_000
)

// MaxNodes is how many nodes a platform may have. A mistyped number must not fill the memory.
const MaxNodes = 1 << 20

const usualSpeed = 1_000

// Name is what [Parse] accepts, and a sentence about it.
type Name struct {
	Name     string // "sharcnet", "pool:N"
	Sentence string
}

// Named lists what [Parse] accepts beside files.
func Named() []Name {
	var list []Name
	for _, g := range grids() {
		list = append(list, Name{g.name, g.sentence})
	}
	return append(list,
		Name{"pool:N", "One cluster of N nodes."},
		Name{"uniform:CxN", "C clusters of N nodes each."},
		Name{"hetero:SEED,N", "Clusters of different sizes and speeds, drawn until they have N nodes."},
		Name{"graded:C", "C clusters from 16 to 1,024 nodes, each larger than the last by the same factor."},
	)
}

// names lists the part of each name that stands ahead of a colon.
func names() []string {
	var list []string
	for _, n := range Named() {
		name, _, _ := strings.Cut(n.Name, ":")
		list = append(list, name)
	}
	return list
}

// FileOf is the path of the file that [Parse] reads for a text, or "" if it reads none.
func FileOf(text string) string {
	if strings.HasSuffix(text, ".json") || strings.ContainsAny(text, `/\`) {
		return text
	}
	return ""
}

// Parse returns the platform that a text names: "sharcnet", "metacentrum:unit=node", "pool:64",
// "uniform:4x32", or the path of a file. A text is a path if it ends in .json or has a slash in it.
// The error is an [UnknownError], an [InvalidError], or wraps that of reading the file.
func Parse(text string) (*scheduler.Platform, error) {
	if path := FileOf(text); path != "" {
		return readFile(path)
	}
	name, setting, set := strings.Cut(text, ":")
	for _, g := range grids() {
		if g.name == name {
			return g.parse(text, setting, set)
		}
	}
	switch name {
	case "pool":
		nodes, err := parseNodes(text, setting, "the number of nodes, as in pool:64")
		if err != nil {
			return nil, err
		}
		pool := cluster("pool", nodes, 1, EthernetNanos)
		return &scheduler.Platform{Name: "pool:" + strconv.Itoa(nodes), Clusters: []scheduler.Cluster{pool}}, nil
	case "uniform":
		return parseUniform(text, setting)
	case "hetero":
		return parseHetero(text, setting)
	case "graded":
		return parseGraded(text, setting)
	}
	return nil, &UnknownError{Name: name, Nearest: usage.Nearest(name, names())}
}

func parseUniform(text, setting string) (*scheduler.Platform, error) {
	const want = "clusters and nodes of each, as in uniform:4x32"
	left, right, ok := strings.Cut(setting, "x")
	if !ok {
		return nil, &InvalidError{text, "want " + want}
	}
	clusters, err := parseNodes(text, left, want)
	if err != nil {
		return nil, err
	}
	nodes, err := parseNodes(text, right, want)
	if err != nil {
		return nil, err
	}
	if clusters > MaxNodes/nodes {
		return nil, &InvalidError{text, fmt.Sprintf("%d nodes, want at most %d", clusters*nodes, MaxNodes)}
	}
	p := &scheduler.Platform{Name: fmt.Sprintf("uniform:%dx%d", clusters, nodes)}
	for i := range clusters {
		p.Clusters = append(p.Clusters, cluster("c"+strconv.Itoa(i), nodes, 1, EthernetNanos))
	}
	return p, nil
}

// parseNodes reads a number between 1 and MaxNodes.
func parseNodes(text, number, want string) (int, error) {
	n, err := strconv.ParseUint(number, 10, 31)
	if err != nil {
		return 0, &InvalidError{text, fmt.Sprintf("%q, want %s", number, want)}
	}
	if n < 1 || n > MaxNodes {
		return 0, &InvalidError{text, fmt.Sprintf("%d, want 1 to %d", n, MaxNodes)}
	}
	return int(n), nil
}

// cluster makes a cluster of nodes of the usual speed. A single node has no diameter.
func cluster(name string, nodes, processors int, diameterNanos int64) scheduler.Cluster {
	if nodes == 1 {
		diameterNanos = 0
	}
	return scheduler.Cluster{
		Name: name, Nodes: nodes, ProcessorsPerNode: processors,
		DiameterNanos: diameterNanos, SpeedPermille: usualSpeed,
	}
}
