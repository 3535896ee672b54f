package traces

import "encoding/json"

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
