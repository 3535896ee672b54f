package traces

import (
	"fmt"
	"strings"
)

// Drawer is a Machine that can draw its current state. Without it a page shows the nodes in a
// circle.
type Drawer interface {
	Draw() Picture
}

// Picture is the drawing of a state. Without axes there is no map, and nodes stand in a circle.
type Picture struct {
	Nodes   []Figure  `json:"nodes"`
	Axes    []Axis    `json:"axes,omitempty"`
	Regions []Region  `json:"regions,omitempty"`
	Remarks []Remark  `json:"remarks,omitempty"`
	Flying  []Message `json:"flying,omitempty"`
}

// Figure is a node.
type Figure struct {
	Name   string `json:"name"`
	Status string `json:"status,omitempty"` // a word or two: "busy", "down"
	At     []int  `json:"at,omitempty"`     // where it is on the map; nil: beside it
}

// Axis is a dimension of a map: the whole numbers from Low, to before High.
type Axis struct {
	Name string `json:"name"`
	Low  int    `json:"low"`
	High int    `json:"high"`
}

// Region is a box on the map, with as many dimensions as there are axes, from Low to before High.
type Region struct {
	Node   string `json:"node"`             // its owner
	Viewer string `json:"viewer,omitempty"` // the node that believes so; empty: it is true
	Low    []int  `json:"low"`
	High   []int  `json:"high"`
}

// Remark is something about a state that a reader should see: a disagreement, a gap.
type Remark struct {
	Property string `json:"property"`       // that it is about
	Node     string `json:"node,omitempty"` // that it is about; empty: all
	Text     string `json:"text"`
	Minor    bool   `json:"minor,omitempty"` // worth showing only if the run is about its property
}

// Remarked joins the remarks about a property in one line; of many the first few. It is empty if
// there are none.
func (p *Picture) Remarked(property string) string {
	const few = 3
	var texts []string
	for _, r := range p.Remarks {
		if r.Property == property {
			texts = append(texts, r.Text)
		}
	}
	if more := len(texts) - few; more > 0 {
		texts = append(texts[:few], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}

// Message is a message in flight.
type Message struct {
	From string `json:"from"`
	To   string `json:"to"`
	Text string `json:"text"`
}

// Term is an entry of a glossary: a word that the texts of a model use.
type Term struct {
	Kind    string // kind of the word: idea, command, message, timer, event or state
	Word    string // beginning of such a text: a word, or a few
	Meaning string // in plain words
}

// The kinds of terms.
const (
	IdeaTerm    = "idea"
	MessageTerm = "message"
	TimerTerm   = "timer"
	CommandTerm = "command"
	EventTerm   = "event"
	StateTerm   = "state"
)

// sketch draws each state of a run from the run alone: the nodes that act in it, and the messages
// that were sent and have not arrived.
func (t *Trace) sketch() []Picture {
	pictures := make([]Picture, len(t.Steps))
	hosts, flights := t.hosts(), t.flights()
	for i := range pictures {
		for _, host := range hosts {
			pictures[i].Nodes = append(pictures[i].Nodes, Figure{Name: host})
		}
		for _, f := range flights {
			if f.sent <= i && (f.got < 0 || i < f.got) {
				pictures[i].Flying = append(pictures[i].Flying, Message{From: f.from, To: f.to, Text: f.text})
			}
		}
	}
	return pictures
}
