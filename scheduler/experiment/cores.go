package experiment

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/canvass-grid/canvass/internal/usage"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/parallel"
)

// Cores runs a workload on the cores of the protocols, one step for each message. Package sim/grid
// does; this package does not depend on a simulator.
type Cores func(
	ctx context.Context, w *scheduler.Workload, g *parallel.Grid, o parallel.Options, t Trouble,
) (*parallel.Result, *CoreCounts, error)

// Trouble has the faults in a run of the cores.
type Trouble struct {
	Apart bool   // owner and representative of a job are two nodes, where that is possible
	Loss  uint32 // messages that are lost, in a million

	// Mean times until a node leaves, until it fails, and until a node that is gone is back; 0: never.
	LeaveMicros, FailMicros, AwayMicros int64
}

// CoreCounts has the cost of a run of the cores, and its failures.
type CoreCounts struct {
	Messages map[string]uint64 `json:"messages"` // sent, by kind
	Dropped  uint64            `json:"dropped_messages"`
	Failed   uint64            `json:"failed_nodes"`
	Left     uint64            `json:"left_nodes"`
	Returned uint64            `json:"returned_nodes"`
	Again    uint64            `json:"submissions_again"`
	Twice    uint64            `json:"jobs_run_twice"`
	Late     int64             `json:"late_task_micros"` // by which the last task of a job began late, over all jobs

	// Jobs that the grid has lost, so that their clients submitted them again, by why.
	LostTogether uint64 `json:"lost_owner_and_representative"`
	LostBetween  uint64 `json:"lost_between_attempts"`
	LostAdopted  uint64 `json:"lost_given_up_by_adopter"`
	LostUnderWay uint64 `json:"lost_under_way"`
	LostOther    uint64 `json:"lost_otherwise"`
}

// The engines of decentralised policies.
const (
	bulk  = "bulk"
	cores = "cores"
)

// coresSettings are the settings of runs of the cores.
func coresSettings() []Setting {
	return []Setting{
		{"fidelity", bulk, "the engine of decentralised policies: bulk, or cores, in which each message is a step of " +
			"the checked protocols",
			func(c *Cell) *string { return &c.Fidelity }},
		{"apart", "no", "with fidelity cores, let owner and representative of a job be two nodes: yes or no",
			func(c *Cell) *string { return &c.Apart }},
		{"churn", "none", "with fidelity cores, mean times until a node leaves, until it fails, and until it is back: " +
			"leave=2h,fail=4h,away=5m, of which leave or fail may be left out",
			func(c *Cell) *string { return &c.Churn }},
		{"loss", "0%", "with fidelity cores, messages that are lost: 1% or 0.5%",
			func(c *Cell) *string { return &c.Loss }},
	}
}

// troubleOf reads the faults of a cell.
func troubleOf(c *Cell) (t Trouble, err error) {
	if t.Apart, err = c.yes("apart"); err != nil {
		return t, err
	}
	text := c.Get("loss")
	percent, found := strings.CutSuffix(text, "%")
	whole, rest, _ := strings.Cut(percent, ".")
	loss, err := strconv.ParseUint(whole+(rest + "0000")[:4], 10, 32)
	if err != nil || !found || whole == "" || len(whole) > 2 || len(rest) > 4 {
		return t, usage.Errorf("loss is %q: use a percentage with at most four decimals, such as 1%%", text)
	}
	t.Loss = uint32(loss)
	text = c.Get("churn")
	if text == "none" {
		return t, nil
	}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		at := map[string]*int64{"leave": &t.LeaveMicros, "fail": &t.FailMicros, "away": &t.AwayMicros}[name]
		d, err := time.ParseDuration(value)
		if err != nil || at == nil || *at != 0 || d <= 0 || d%time.Microsecond != 0 {
			return t, usage.Errorf("churn is %q: use none, or times of whole microseconds, each once, such as "+
				"leave=2h,fail=4h,away=5m", text)
		}
		*at = d.Microseconds()
	}
	return t, nil
}

// errNoCores says that the program was built without a simulator.
var errNoCores = errors.New("run the cores: this laboratory lacks them; set Lab.Cores")

// engine returns what runs a cell: for fidelity cores a run of the cores, whose counts are set when
// it has ended.
func (l *Lab) engine(c *Cell, r runner) (runner, *CoreCounts, error) {
	t, err := troubleOf(c)
	if err != nil {
		return r, nil, err
	}
	switch fidelity := c.Get("fidelity"); {
	case fidelity == bulk && t != (Trouble{}):
		return r, nil, usage.Errorf("apart, churn and loss have no effect with fidelity bulk; use --fidelity cores")
	case fidelity == bulk:
		return r, nil, nil
	case fidelity != cores:
		return r, nil, usage.Errorf("fidelity is %q: use %s or %s", fidelity, bulk, cores)
	case l.Cores == nil:
		return r, nil, errNoCores
	}
	counts := &CoreCounts{}
	r.run = func(ctx context.Context, w *scheduler.Workload, p *grounds, c *Cell, seed uint64) (*ran, error) {
		g, o, err := p.ready(c, seed)
		if err != nil {
			return nil, err
		}
		result, counted, err := l.Cores(ctx, w, g, o, t)
		if err != nil {
			return nil, err
		}
		*counts = *counted
		return &ran{records: result.Records, digest: result.Digest, counts: &result.Counts}, nil
	}
	return r, counts, nil
}
