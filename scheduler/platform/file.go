package platform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/scheduler"
)

// maxFile bounds how much of a file is read, in bytes.
const maxFile = 64 << 20

const (
	maxProcessors = 1 << 20
	maxDiameter   = 60_000_000_000 // a minute
	maxSpeed      = 1_000_000
)

func readFile(path string) (*scheduler.Platform, error) {
	text, err := fileio.Read(path, maxFile)
	if err != nil {
		return nil, fmt.Errorf("read platform: %w", err)
	}
	return Decode(path, text)
}

// Decode reads a platform from JSON. The path is for errors, and its last element is the name of
// the platform if the file has none. The error is an [InvalidError].
func Decode(path string, text []byte) (*scheduler.Platform, error) {
	text, err := fileio.TextOf(text, maxFile)
	if err != nil {
		return nil, &InvalidError{path, err.Error()}
	}
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		where := path
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			where = fmt.Sprintf("%s:%d", path, 1+bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n")))
		}
		return nil, &InvalidError{where, "not JSON: " + err.Error() + grouped(text, syntax)}
	}
	d := &decoder{path: path}
	top := d.object(text, "", "name", "clusters")
	p := &scheduler.Platform{Name: strings.TrimSuffix(filepath.Base(path), ".json")}
	if raw, ok := top["name"]; ok {
		p.Name = d.text(raw, "name")
	}
	taken, nodes := map[string]int{}, 0
	for i, raw := range d.list(top["clusters"], "clusters") {
		c := d.cluster(raw, fmt.Sprintf("clusters[%d]", i))
		if d.err != nil {
			return nil, d.err
		}
		if j, ok := taken[c.Name]; ok {
			d.fail(fmt.Sprintf("clusters[%d].name", i), "%q is the name of clusters[%d] too, want another", c.Name, j)
		}
		taken[c.Name] = i
		p.Clusters = append(p.Clusters, c)
		if nodes += c.Nodes; nodes > MaxNodes {
			d.fail("clusters", "%d nodes up to %q, want at most %d in all", nodes, c.Name, MaxNodes)
		}
	}
	if d.err != nil {
		return nil, d.err
	}
	return p, nil
}

// grouped is a remedy for a number with separators, such as 1,024, which is not JSON; otherwise "".
func grouped(text []byte, syntax *json.SyntaxError) string {
	if syntax == nil {
		return ""
	}
	before := bytes.TrimRight(text[:min(max(0, int(syntax.Offset)-1), len(text))], " \t\r\n")
	digits := bytes.TrimSuffix(before, []byte(","))
	if len(digits) == len(before) || len(digits) == 0 || digits[len(digits)-1] < '0' || digits[len(digits)-1] > '9' {
		return ""
	}
	return "; write numbers without separators, as in 1024"
}

// A decoder keeps the first error. After that its methods return zero values.
type decoder struct {
	path string
	err  error
}

// fail notes what is wrong with the value at a place of the file, "" being the whole of it.
func (d *decoder) fail(at, format string, args ...any) {
	if d.err == nil {
		where := d.path
		if at != "" {
			where += ": " + at
		}
		d.err = &InvalidError{where, fmt.Sprintf(format, args...)}
	}
}

func (d *decoder) cluster(raw json.RawMessage, at string) scheduler.Cluster {
	fields := d.object(raw, at, "name", "nodes", "processors_per_node", "diameter_nanos", "speed_permille", "kind")
	name := d.text(fields["name"], at+".name")
	c := cluster(name, int(d.number(fields["nodes"], at+".nodes", 1, MaxNodes)), 1, EthernetNanos)
	if raw, ok := fields["processors_per_node"]; ok {
		c.ProcessorsPerNode = int(d.number(raw, at+".processors_per_node", 1, maxProcessors))
	}
	if raw, ok := fields["diameter_nanos"]; ok {
		c.DiameterNanos = d.number(raw, at+".diameter_nanos", 0, maxDiameter)
		if (c.DiameterNanos == 0) != (c.Nodes == 1) {
			d.fail(at+".diameter_nanos", "%d with nodes %d, want 0 for a single node, else at least 1", c.DiameterNanos, c.Nodes)
		}
	}
	if raw, ok := fields["speed_permille"]; ok {
		c.SpeedPermille = int(d.number(raw, at+".speed_permille", 1, maxSpeed))
	}
	if raw, ok := fields["kind"]; ok {
		c.Kind = d.text(raw, at+".kind")
	}
	return c
}

// object returns the fields of an object. Package json would take the last of two fields of one
// name and match names in any case, so the names are read one by one.
func (d *decoder) object(raw json.RawMessage, at string, known ...string) map[string]json.RawMessage {
	if d.err != nil {
		return nil
	}
	in := json.NewDecoder(bytes.NewReader(raw))
	if start, err := in.Token(); err != nil || start != json.Delim('{') {
		d.fail(at, "%s, want an object {…}", shown(raw))
		return nil
	}
	fields := map[string]json.RawMessage{}
	for in.More() {
		key, err := in.Token()
		var value json.RawMessage
		if err == nil {
			err = in.Decode(&value)
		}
		name, _ := key.(string)
		field := strings.TrimPrefix(at+"."+name, ".")
		switch _, twice := fields[name]; {
		case err != nil: // not after Decode has read the whole text
			d.fail(field, "%v", err)
		case twice:
			d.fail(field, "given twice, want it once")
		case !slices.Contains(known, name):
			d.fail(field, "unknown field, want %s", strings.Join(known, ", "))
		}
		if d.err != nil {
			return nil
		}
		fields[name] = value
	}
	return fields
}

func (d *decoder) list(raw json.RawMessage, at string) []json.RawMessage {
	var list []json.RawMessage
	if d.err == nil && (json.Unmarshal(raw, &list) != nil || len(list) == 0) {
		d.fail(at, "%s, want a list of at least one cluster", shown(raw))
		return nil
	}
	return list
}

func (d *decoder) text(raw json.RawMessage, at string) string {
	var text string
	if d.err == nil && (json.Unmarshal(raw, &text) != nil || text == "") {
		d.fail(at, `%s, want a name in quotes`, shown(raw))
	}
	return text
}

func (d *decoder) number(raw json.RawMessage, at string, least, most int64) int64 {
	if d.err != nil {
		return least
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		d.fail(at, "%s, want %d to %d", shown(raw), least, most)
	case err != nil:
		d.fail(at, "%s, want a whole number", shown(raw))
	case n < least:
		d.fail(at, "%d, want at least %d", n, least)
	case n > most:
		d.fail(at, "%d, want at most %d", n, most)
	}
	return n
}

// shown is a value of the file as an error shows it: short, on one line.
func shown(raw json.RawMessage) string {
	const longest = 40
	if len(raw) == 0 {
		return "missing"
	}
	text := strings.Join(strings.Fields(string(raw)), " ")
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}
