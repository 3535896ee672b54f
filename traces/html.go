package traces

import (
	"cmp"
	"embed"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

//go:embed page/*.html page/*.css page/*.js
var pageFiles embed.FS

// Page is the part of an HTML page beside the trace: the description of its model, and pictures of
// its states. All of it is optional.
type Page struct {
	Model    string // description of the model, in a line or two
	Property string // demand of the property
	Seen     string // final observation
	Why      string // the failure, if the violation is expected
	Within   string // bounds of the run apart from faults; empty: those of the trace
	Demand   string // demand of the property's shape; empty: as in a check
	Words    []Term
	Pictures []Picture // one for each step
	Holds    []bool    // whether the property holds, one for each step
}

// Observe returns an observer for [Replay] or [Follow] that collects what the machine has to show
// of each step.
func (p *Page) Observe(machine Machine, property string) func(step int, s Step) {
	drawer, draws := machine.(Drawer)
	known := true
	return func(int, Step) {
		if draws {
			p.Pictures = append(p.Pictures, drawer.Draw())
		}
		holds, err := machine.Check(property)
		if known = known && err == nil; known {
			p.Holds = append(p.Holds, holds)
		}
	}
}

// WriteHTML writes a trace as one page that needs nothing else: no network, no other file. It shows
// each step on a map, with the states, a diagram of the run and a story in plain sentences. The
// diagram and the story need no script. No text is taken for markup.
func WriteHTML(w io.Writer, t *Trace, p Page) error {
	if err := t.validate(); err != nil {
		return err
	}
	if len(p.Pictures) != len(t.Steps) || len(p.Pictures[0].Nodes) == 0 { // a machine may have nothing to show
		p.Pictures = t.sketch()
	}
	if len(p.Holds) != len(t.Steps) {
		p.Holds = nil
	}
	return fill(w, embedded("page/page.html"), (&sheet{t, &p}).slots())
}

func embedded(name string) string {
	data, err := pageFiles.ReadFile(name)
	if err != nil {
		panic("traces: " + err.Error())
	}
	return string(data)
}

// sheet is a trace with its page.
type sheet struct {
	t *Trace
	p *Page
}

func (s *sheet) Last() int      { return len(s.t.Steps) - 1 }
func (s *sheet) Demand() string { return cmp.Or(s.p.Demand, demand(s.t.Header.Shape)) }
func (s *sheet) Mapped() bool   { return len(s.p.Pictures[0].Axes) > 0 }

// Property returns the demand of the property, in the model's words or the file's.
func (s *sheet) Property() string {
	if s.p.Property != "" {
		return strings.TrimSuffix(s.p.Property, ".")
	}
	return strings.TrimSuffix(s.t.Header.Description, ".")
}

// Sequence is the diagram of the run.
func (s *sheet) Sequence() *sequence { return s.t.sequence().vanish(s.p.Pictures[s.Last()].Flying) }

// Why returns the failure, as a sentence.
func (s *sheet) Why() string { return asSentence(s.p.Why) }

// Seen returns the observation, as a sentence.
func (s *sheet) Seen() string { return asSentence(s.p.Seen) }

// Within returns the bounds of the run.
func (s *sheet) Within() string { return cmp.Or(s.p.Within, s.t.Header.Bounds) }

func asSentence(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + closed(text[size:])
}

// Verdict states the result of the run.
func (s *sheet) Verdict() string {
	h := &s.t.Header
	if h.Verdict == Holds {
		return "witnessed"
	}
	return "violated"
}

// entry is a step of the story.
type entry struct {
	Step  int
	What  sentence
	Then  []sentence
	Mark  string   // role of the step: it triggers the property, loops or ends the run
	Facts []string // the variables that it changed, each shortened to the new part
}

// Steps is the story of the run.
func (s *sheet) Steps() []entry {
	var steps []entry
	n := newNarrator(s.p.Words, s.t.Header.Budget)
	for i := range s.t.Steps {
		now := &s.t.Steps[i]
		step := entry{Step: i, What: n.describe(&now.Action), Then: n.then(now), Mark: s.mark(i)}
		if i > 0 {
			changed := Step{Action: now.Action, State: now.State}
			step.Facts = changed.facts(s.t.Steps[i-1].State)
		}
		steps = append(steps, step)
	}
	return steps
}

// mark names the role of a step: it triggers the property, loops or ends the run.
func (s *sheet) mark(i int) string {
	marks := s.turn(i)
	if i != s.Last() {
		return marks
	}
	end := "The run ends here:"
	switch {
	case s.t.Loop >= 0:
		end = "This is the state of step " + strconv.Itoa(s.t.Loop) + " again, and the run repeats from there forever:"
	case s.t.stops():
		end = "Nothing more has to happen, so the run stops here:"
	}
	return strings.TrimSpace(marks + " " + end + " " + s.t.Header.Property + " is " + s.Verdict() + ".")
}

// turn says where a step triggers the property, or begins the loop.
func (s *sheet) turn(i int) string {
	h := &s.t.Header
	var marks []string
	if i == h.Trigger {
		marks = append(marks, "Here "+h.Property+" is triggered.")
	}
	if i == s.t.Loop {
		marks = append(marks, "Here the loop begins.")
	}
	return strings.Join(marks, " ")
}

// Terms lists the glossary by kind, the kinds in the order in which a run meets them.
func (s *sheet) Terms() []Term {
	order := []string{IdeaTerm, CommandTerm, MessageTerm, TimerTerm, EventTerm, StateTerm}
	terms := slices.Clone(s.p.Words)
	slices.SortStableFunc(terms, func(a, b Term) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	return terms
}

// pageData is the run for the script of a page. Things lists the common parts of states once; steps
// refer to it by its number.
type pageData struct {
	Property string            `json:"property"`
	Shape    string            `json:"shape"`
	Verdict  string            `json:"verdict"`
	Loop     int               `json:"loop"`
	Trigger  int               `json:"trigger"`
	Things   []json.RawMessage `json:"things"`
	Steps    []pageStep        `json:"steps"`
}

// pageStep is a step for the script.
type pageStep struct {
	Kind    string      `json:"kind"`
	Node    string      `json:"node,omitempty"`
	Peer    string      `json:"peer,omitempty"`
	Text    string      `json:"text,omitempty"`
	State   []int       `json:"state"` // names and values
	Holds   *bool       `json:"holds,omitempty"`
	Picture pagePicture `json:"picture"`
}

// pagePicture is a [Picture], by the numbers of its parts.
type pagePicture struct {
	Nodes   []int `json:"nodes"`
	Axes    []int `json:"axes,omitempty"`
	Regions []int `json:"regions,omitempty"`
	Remarks []int `json:"remarks,omitempty"`
	Flying  []int `json:"flying,omitempty"`
}

// Data is the run for the script.
func (s *sheet) Data() pageData {
	h := &s.t.Header
	data := pageData{Property: h.Property, Shape: h.Shape, Verdict: s.Verdict(), Loop: s.t.Loop, Trigger: h.Trigger}
	known := things{numbers: map[string]int{}}
	for i := range s.t.Steps {
		now, p := &s.t.Steps[i], &s.p.Pictures[i]
		a := &now.Action
		step := pageStep{Kind: a.Kind, Node: a.Node, Peer: a.Peer, Text: a.Text, State: []int{}, Picture: pagePicture{
			numbered(
				&known,
				p.Nodes,
			), numbered(&known, p.Axes), numbered(&known, p.Regions), numbered(&known, p.Remarks), numbered(&known, p.Flying),
		}}
		for _, v := range now.State {
			step.State = append(step.State, known.number([]string{v.Name, v.Value}))
		}
		if s.p.Holds != nil {
			step.Holds = &s.p.Holds[i]
		}
		data.Steps = append(data.Steps, step)
	}
	data.Things = known.list
	return data
}

// things lists each thing once, as JSON.
type things struct {
	list    []json.RawMessage
	numbers map[string]int
}

func (t *things) number(thing any) int {
	text, err := json.Marshal(thing)
	if err != nil {
		panic("traces: " + err.Error()) // all of them are texts and numbers
	}
	n, known := t.numbers[string(text)]
	if !known {
		n = len(t.list)
		t.list, t.numbers[string(text)] = append(t.list, text), n
	}
	return n
}

func numbered[T any](t *things, all []T) []int {
	numbers := []int{}
	for i := range all {
		numbers = append(numbers, t.number(&all[i]))
	}
	return numbers
}
