package traces

import (
	"encoding/json"
	"io"
	"strings"
)

// A step takes a slot of time on its track, and leaves a gap before the next. Steps have no
// duration: only their order has a meaning.
const (
	slotMicros  = 1000
	sliceMicros = 800
	flowMicros  = sliceMicros / 2 // where in a slice its messages leave and arrive
)

// perfettoEvent is an event of the Chrome trace format: X is a slice, M names a track, s and f are
// the ends of an arrow.
type perfettoEvent struct {
	Name  string            `json:"name"`
	Phase string            `json:"ph"`
	TS    *int              `json:"ts,omitempty"`
	Dur   int               `json:"dur,omitempty"`
	PID   int               `json:"pid"`
	TID   int               `json:"tid"`
	Cat   string            `json:"cat,omitempty"`
	ID    int               `json:"id,omitempty"`
	Bind  string            `json:"bp,omitempty"`
	Scope string            `json:"s,omitempty"`
	Args  map[string]string `json:"args,omitempty"`
}

// WritePerfetto writes a run in the Chrome trace format, which Perfetto reads: a track for each
// node, a slice for each step, an arrow for each message that was delivered or dropped. No two
// slices of a track overlap.
func WritePerfetto(w io.Writer, t *Trace) error {
	p := &perfetto{tracks: map[string]int{}}
	p.add(perfettoEvent{Name: "process_name", Phase: "M", Args: map[string]string{"name": t.Header.Model}})
	for _, host := range t.hosts() {
		p.slice(0, host, Init, nil)
	}
	for i := 1; i < len(t.Steps); i++ {
		s := &t.Steps[i]
		p.slice(i, s.Action.host(), s.Action.String(), s.facts(t.Steps[i-1].State))
	}
	last := len(t.Steps) - 1
	for id, f := range t.flights() {
		if f.got < 0 {
			continue
		}
		to := f.to
		if f.how == "drop" {
			to = networkHost
		}
		p.arrow("s", id+1, f.sent, f.from, f.text)
		p.arrow("f", id+1, f.got, to, f.text)
	}
	end := last*slotMicros + sliceMicros
	p.add(
		perfettoEvent{
			Name:  strings.ToUpper(t.Header.Verdict) + " " + t.Header.Property,
			Phase: "i",
			TS:    &end,
			TID:   1,
			Scope: "g",
		},
	)
	return p.write(w)
}

type perfetto struct {
	tracks map[string]int
	events []perfettoEvent
}

func (p *perfetto) add(e perfettoEvent) {
	e.PID = 1
	p.events = append(p.events, e)
}

// track returns the number of a host's track, and names it when it is new.
func (p *perfetto) track(host string) int {
	if p.tracks[host] == 0 {
		p.tracks[host] = len(p.tracks) + 1
		p.add(perfettoEvent{Name: "thread_name", Phase: "M", TID: p.tracks[host], Args: map[string]string{"name": host}})
	}
	return p.tracks[host]
}

func (p *perfetto) slice(step int, host, name string, facts []string) {
	ts := step * slotMicros
	e := perfettoEvent{Name: name, Phase: "X", TS: &ts, Dur: sliceMicros, TID: p.track(host)}
	if len(facts) > 0 {
		e.Args = map[string]string{"facts": strings.Join(facts, "; ")}
	}
	p.add(e)
}

func (p *perfetto) arrow(phase string, id, step int, host, name string) {
	ts := step*slotMicros + flowMicros
	e := perfettoEvent{Name: name, Phase: phase, TS: &ts, TID: p.track(host), Cat: "message", ID: id}
	if phase == "f" {
		e.Bind = "e" // to the slice that encloses it, not to the next one
	}
	p.add(e)
}

// write writes one event a line, so that files can be compared line by line.
func (p *perfetto) write(w io.Writer) error {
	var b strings.Builder
	b.WriteString("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n")
	for i, e := range p.events {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		b.Write(line)
		if i < len(p.events)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]}\n")
	_, err := io.WriteString(w, b.String())
	return err
}
