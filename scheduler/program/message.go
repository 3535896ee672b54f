package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler"
	"github.com/canvass-grid/canvass/scheduler/central"
)

// version is that of the protocol. A change of the meaning of a field changes it; programs ignore
// fields that they do not know.
const version = 1

// greeting is the first request.
type greeting struct {
	Hello    string   `json:"hello"` // "canvass"
	Version  int      `json:"version"`
	Seed     uint64   `json:"seed"`
	Choice   string   `json:"choice"`
	Platform platform `json:"platform"`
}

type platform struct {
	Name     string    `json:"name"`
	Clusters []cluster `json:"clusters"`
}

type cluster struct {
	Name  string `json:"name"`
	Nodes int    `json:"nodes"`
	Speed int    `json:"speed_permille"`
}

func newGreeting(p *scheduler.Platform, seed uint64, choice string) *greeting {
	g := &greeting{"canvass", version, seed, choice, platform{Name: p.Name}}
	for _, c := range p.Clusters {
		g.Platform.Clusters = append(g.Platform.Clusters, cluster{c.Name, c.Nodes, c.SpeedPermille})
	}
	return g
}

// appendRequest writes a request. It is written by hand since package json takes longer than the
// rest of a decision.
func appendRequest(b []byte, v *central.View) []byte {
	b = strconv.AppendInt(append(b, `{"now":`...), v.Now(), 10)
	b = append(b, `,"submitted":[`...)
	n := 0
	for j := range v.Submitted() {
		b = appendJob(comma(b, n), &j)
		n++
	}
	b = appendIndexes(append(b, `],"ended":[`...), v.Ended())
	b = appendIndexes(append(b, `],"queue":[`...), v.Queue())
	b = append(b, `],"free":[`...)
	for c := range v.Clusters() {
		b = strconv.AppendInt(comma(b, c), int64(v.Free(c)), 10)
	}
	return append(b, "]}\n"...)
}

func appendIndexes(b []byte, jobs iter.Seq[central.Job]) []byte {
	n := 0
	for j := range jobs {
		b = strconv.AppendInt(comma(b, n), int64(j.Index), 10)
		n++
	}
	return b
}

// comma separates an element from those before it.
func comma(b []byte, before int) []byte {
	if before == 0 {
		return b
	}
	return append(b, ',')
}

func appendJob(b []byte, j *central.Job) []byte {
	for i, field := range []struct {
		name  string
		value int64
	}{
		{"job", int64(j.Index)}, {"number", j.Number}, {"submit", j.SubmitMicros}, {"nodes", int64(j.Nodes)},
		{"estimate", j.EstimateMicros}, {"user", j.User}, {"group", j.Group}, {"executable", j.Executable},
		{"queue", j.Queue}, {"partition", j.Partition},
	} {
		b = append(b, "{,"[min(i, 1)], '"')
		b = append(append(b, field.name...), `":`...)
		if field.value == scheduler.Unknown && field.name != "number" {
			b = append(b, "null"...)
		} else {
			b = strconv.AppendInt(b, field.value, 10)
		}
	}
	return append(b, '}')
}

// answer is the answer to a request.
type answer struct {
	Start [][]int `json:"start"` // pairs of a job and a cluster
	Wake  *int64  `json:"wake"`
}

// decode reads an answer with some fields, strictly: a misspelt field would be a decision that is
// lost.
func decode(line []byte, into any, fields ...string) error {
	if text := bytes.TrimSpace(line); len(text) == 0 || text[0] != '{' {
		return errors.New("it is not a JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errors.New(strings.TrimPrefix(fileio.JSONError(nil, err).Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more than one object in the line")
	}
	return checkFields(line, fields)
}

// checkFields refuses fields in capitals, repeated fields and null, all of which package json
// accepts. The only texts in an answer are the names of its fields.
func checkFields(line []byte, fields []string) error {
	d := json.NewDecoder(bytes.NewReader(line))
	met := map[string]bool{}
	for {
		token, err := d.Token()
		if err != nil {
			return nil // it is the end, since the line has been read before
		}
		name, isName := token.(string)
		switch {
		case token == nil:
			return errors.New("null is no value; leave the field out")
		case !isName:
		case !slices.Contains(fields, name):
			return fmt.Errorf("unknown field %q; use %s", name, strings.Join(fields, " and "))
		case met[name]:
			return fmt.Errorf("it has the field %q twice", name)
		default:
			met[name] = true
		}
	}
}

// pairs checks that each start names a job and a cluster.
func (a *answer) pairs() error {
	for _, s := range a.Start {
		if len(s) != 2 {
			return fmt.Errorf("start has %d numbers where [job, cluster] belongs", len(s))
		}
	}
	return nil
}
