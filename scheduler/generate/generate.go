package generate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/canvass-grid/canvass/scheduler"
)

const (
	maxJobs  = 10_000_000
	maxNodes = 1 << 20
)

// digestLength is how many bytes of a SHA-256 a digest shows.
const digestLength = 8

// Name is a generator with its usual settings, and a sentence about it.
type Name struct {
	Name     string // "lublin:N=10000,nodes=256,classes=1"
	Sentence string
}

type generator struct {
	name, sentence string
	settings       []setting
	make           func(v values, seed uint64) (*scheduler.Workload, error)
}

func generators() []generator {
	return []generator{
		{
			"lublin", "The model of Lublin and Feitelson (2003) with one or two classes of rigid jobs.",
			[]setting{
				{name: "N", usual: "10000", least: 1, most: maxJobs, whole: true},
				{name: "nodes", usual: "256", least: 16, most: maxNodes, whole: true},
				{name: "classes", usual: "1", least: 1, most: 2, whole: true},
			}, lublin,
		}, {
			"sharcnet-like", "A burst of parallel jobs shaped like Jackson's slice of SHARCNET; serial=P makes a share serial.",
			[]setting{
				{name: "N", usual: "1000", least: 1, most: maxJobs, whole: true},
				{name: "scale", usual: "0.3", least: 0.001, most: 1_000},
				{name: "span", usual: "643", least: 0, most: 1_000_000_000, whole: true},
				{name: "serial", usual: "0", least: 0, most: 1, later: true},
			}, sharcnetLike,
		}, {
			"poisson", "Serial jobs with exponential times between submissions, for queueing theory.",
			[]setting{
				{name: "N", usual: "100000", least: 1, most: maxJobs, whole: true},
				{name: "rate", usual: "0.5", least: 0.0001, most: 10_000},
				{name: "service", usual: services()[0], words: services()},
				{name: "mean", usual: "1", least: 0.001, most: 10_000_000},
				{name: "nodes", usual: "1", least: 1, most: maxNodes, whole: true},
			}, poisson,
		}, {
			"dags", "Jobs of small tasks with an order, and values that fall as jobs take longer: for policies of tasks.",
			[]setting{
				{name: "N", usual: "200", least: 1, most: maxJobs / 100, whole: true},
				{name: "nodes", usual: "64", least: 8, most: maxNodes, whole: true},
				{name: "tasks", usual: "10", least: 1, most: 1_000, whole: true},
				{name: "mean", usual: "600", least: 0.001, most: 10_000_000},
				{name: "load", usual: "0.9", least: 0.01, most: 100},
			}, dags,
		},
	}
}

// Named lists the generators with their usual settings.
func Named() []Name {
	var list []Name
	for _, g := range generators() {
		_, name, err := parseSettings(g.name, "", g.settings)
		if err != nil {
			panic(err) // a usual value of our own table
		}
		list = append(list, Name{name, g.sentence})
	}
	return list
}

// Parse makes the workload that a text describes: a name, or a name, a colon and settings. The
// error is an [UnknownError] or a [SettingError].
func Parse(text string, seed uint64) (*scheduler.Workload, error) {
	name, settings, colon := strings.Cut(text, ":")
	var names []string
	for _, g := range generators() {
		names = append(names, g.name)
		if g.name != name {
			continue
		}
		if colon && settings == "" {
			settings = ","
		}
		v, canonical, err := parseSettings(name, settings, g.settings)
		if err != nil {
			return nil, err
		}
		w, err := g.make(v, seed)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "%s seed=%d", canonical, seed))
		w.Name, w.Digest = canonical, hex.EncodeToString(sum[:digestLength])
		for i := range w.Jobs {
			w.Jobs[i].Number = int64(i) + 1
		}
		return w, nil
	}
	return nil, unknown("generator", name, names)
}

// completed is the status of a job that ended by itself, as in the Standard Workload Format.
const completed = 1

// newJob returns a job with the values that a generator models; all others are unknown.
func newJob(submitMicros, runMicros int64, nodes int) scheduler.Job {
	return scheduler.Job{
		SubmitMicros: submitMicros, RunMicros: runMicros, Nodes: nodes, Status: completed,
		RequestMicros: scheduler.Unknown, EstimateMicros: scheduler.Unknown, WaitMicros: scheduler.Unknown,
		User: scheduler.Unknown, Group: scheduler.Unknown, Executable: scheduler.Unknown,
		Queue: scheduler.Unknown, Partition: scheduler.Unknown,
	}
}
