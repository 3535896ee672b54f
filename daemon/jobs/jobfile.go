package jobs

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// FileJob is a job as a job file has it: files of the user that it names are not read yet.
type FileJob struct {
	Spec  Spec
	Files []Source
	Stdin string // name of a file, or nothing
}

// Source names files of the user that become inputs.
type Source struct {
	From string // a pattern
	To   string // the name of the input, or of the folder for them if it ends with a slash
	Mode fs.FileMode
	Line int // of the job file; 0: none
}

// FileSizeLimit is the largest job file, in bytes.
const FileSizeLimit = SpecLimit

// span is a length of time in a job file, as in "10s".
type span time.Duration

// UnmarshalText reads it.
func (s *span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is no time such as 90s or 2h", text)
	}
	*s = span(d)
	return nil
}

// ParseSize reads a number of bytes as in 64MiB.
func ParseSize(text string) (int64, error) {
	digits := strings.TrimRight(text, "KMGTiB")
	shift, known := map[string]uint{"": 0, "B": 0, "KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[text[len(digits):]]
	n, err := strconv.ParseUint(digits, 10, 32)
	if !known || err != nil {
		return 0, fmt.Errorf("%q is no size such as 4096 or 64MiB", text)
	}
	if n > outputMax>>shift {
		return 0, fmt.Errorf("%q is more than 1TiB", text)
	}
	return int64(n) << shift, nil
}

// size is a number of bytes in a job file.
type size int64

// UnmarshalText reads it.
func (s *size) UnmarshalText(text []byte) error {
	n, err := ParseSize(string(text))
	*s = size(n)
	return err
}

// backoff is the times in a job file between which retries wait, as in "10s..5m".
type backoff struct{ low, high time.Duration }

// UnmarshalText reads it.
func (b *backoff) UnmarshalText(text []byte) error {
	low, high, found := strings.Cut(string(text), "..")
	if !found {
		high = low
	}
	var err, failed error
	b.low, err = time.ParseDuration(low)
	b.high, failed = time.ParseDuration(high)
	if err = errors.Join(err, failed); err != nil {
		return fmt.Errorf("%q is no pair of times such as 10s..5m", text)
	}
	return nil
}

// fileKeys are the keys of a job file.
type fileKeys struct {
	Name         string            `toml:"name"`
	Command      []string          `toml:"command"`
	Tasks        int               `toml:"tasks"`
	Array        string            `toml:"array"`
	Env          map[string]string `toml:"env"`
	Inputs       []inputKeys       `toml:"inputs"`
	Outputs      []string          `toml:"outputs"`
	Stdin        string            `toml:"stdin"`
	Timeout      span              `toml:"timeout"`
	Deadline     span              `toml:"deadline"`
	Retries      retryKeys         `toml:"retries"`
	RestartLimit *int              `toml:"restart-limit"`
	Kill         killKeys          `toml:"kill"`
	StdoutLimit  size              `toml:"stdout-limit"`
	Hold         bool              `toml:"hold"`
}

type inputKeys struct {
	From string `toml:"from"`
	To   string `toml:"to"`
	Mode string `toml:"mode"`
}

type retryKeys struct {
	OnExit  int     `toml:"on-exit"`
	Codes   []int   `toml:"codes"`
	Backoff backoff `toml:"backoff"`
}

type killKeys struct {
	Signal string `toml:"signal"`
	Grace  span   `toml:"grace"`
}

// knownKeys are the keys of each table of a job file.
var knownKeys = map[string][]string{
	"": {
		"name", "command", "tasks", "array", "env", "inputs", "outputs", "stdin", "timeout", "deadline", "retries",
		"restart-limit", "kill", "stdout-limit", "hold",
	},
	"inputs":  {"from", "to", "mode"},
	"retries": {"on-exit", "codes", "backoff"},
	"kill":    {"signal", "grace"},
}

// laterKeys are keys with a meaning that this version does not support.
var laterKeys = map[string]string{
	"over":        "over-provisioning is the grid's",
	"requires":    "jobs cannot say yet what they need of a node",
	"durability":  "a job has one copy, with the daemon that takes it",
	"after":       "jobs cannot wait for other jobs yet",
	"inputs.blob": "name a file with from",
}

// ParseFile reads a job file. Errors name the line.
func ParseFile(text string) (FileJob, error) {
	if len(text) > FileSizeLimit {
		return FileJob{}, specf("the job file has %d bytes; %d are the limit", len(text), FileSizeLimit)
	}
	var keys fileKeys
	meta, err := toml.Decode(text, &keys)
	if err != nil {
		return FileJob{}, undecoded(err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return FileJob{}, unknownKey(text, unknown[0])
	}
	switch {
	case meta.IsDefined("env") && meta.Type("env") != "Hash": // the decoder leaves such a value out
		return FileJob{}, specf("line %d: env must be %s", lineOf(text, "env"), wanted["table"])
	case meta.IsDefined("tasks") && keys.Tasks < 1:
		return FileJob{}, specf("line %d: tasks is %d; a job has one task at least", lineOf(text, "tasks"), keys.Tasks)
	case len(keys.Command) == 0:
		return FileJob{}, specf("no command: the job file does not set the key command")
	}
	job, err := keys.job(text)
	return job, placed(text, err)
}

// unknownKey is the error for an unknown key.
func unknownKey(text string, key toml.Key) error {
	name := key[len(key)-1]
	where := fmt.Sprintf("line %d: ", lineOf(text, name))
	for n := range key {
		if why, later := laterKeys[strings.Join(key[:n+1], ".")]; later {
			where = fmt.Sprintf("line %d: ", lineOf(text, key[n]))
			return specf("%skey %q is not supported yet: %s; remove it", where, strings.Join(key[:n+1], "."), why)
		}
	}
	near := nearest(name, knownKeys[strings.Join(key[:len(key)-1], ".")])
	if near != "" {
		near = fmt.Sprintf("; did you mean %q?", near)
	}
	return specf("%sunknown key %q%s", where, key.String(), near)
}

// lineOf is the first line of a text that sets a key.
func lineOf(text, key string) int {
	sets := regexp.MustCompile(`(^|[\s{,.\[])["']?` + regexp.QuoteMeta(key) + `["']?\s*[=.\]]`)
	for i, line := range strings.Split(text, "\n") {
		if sets.MatchString(line) {
			return i + 1
		}
	}
	return 1
}

// lineOfInput is the line of a job file that names a file, or else that of the inputs.
func lineOfInput(text, from string) int {
	names := regexp.MustCompile(`from["']?\s*=\s*["']` + regexp.QuoteMeta(from) + `["']`)
	for i, line := range strings.Split(text, "\n") {
		if names.MatchString(line) {
			return i + 1
		}
	}
	return lineOf(text, "inputs")
}

// nearest is the name that differs least from another one, or nothing.
func nearest(name string, names []string) (near string) {
	least := 3
	for _, n := range names {
		if d := distance(name, n); d < least {
			near, least = n, d
		}
	}
	return near
}

// distance is how many letters must be put in, left out or changed.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0]++
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// job makes a job from the keys of a file, whose text is given.
func (k *fileKeys) job(text string) (job FileJob, err error) {
	s := &job.Spec
	*s = Spec{
		Name: k.Name, Command: k.Command, Tasks: k.Tasks, Outputs: k.Outputs, Timeout: time.Duration(k.Timeout),
		Deadline: time.Duration(k.Deadline), RestartLimit: k.RestartLimit, OutputLimit: int64(k.StdoutLimit), Hold: k.Hold,
		Kill:    Kill{Signal: strings.TrimPrefix(k.Kill.Signal, "SIG"), Grace: time.Duration(k.Kill.Grace)},
		Retries: Retries{k.Retries.OnExit, k.Retries.Codes, k.Retries.Backoff.low, k.Retries.Backoff.high},
	}
	for _, name := range slices.Sorted(maps.Keys(k.Env)) {
		if strings.Contains(name, "=") {
			return job, keyf("env", "environment with the name %q; want one without =", name)
		}
		s.Env = append(s.Env, name+"="+k.Env[name])
	}
	if k.Array != "" {
		if s.Array, err = ParseArray(k.Array); err != nil {
			return job, err
		}
	}
	job.Stdin = k.Stdin
	for _, in := range k.Inputs {
		source, err := in.source()
		source.Line = lineOfInput(text, in.From)
		if err != nil {
			return job, err
		}
		job.Files = append(job.Files, source)
	}
	return job, s.Validate()
}

func (k *inputKeys) source() (s Source, err error) {
	s = Source{From: k.From, To: k.To}
	if k.From == "" {
		return s, keyf("inputs", "an input without from; name a file or a pattern")
	}
	if k.Mode != "" {
		mode, err := strconv.ParseUint(k.Mode, 8, 9)
		if err != nil {
			return s, keyf("inputs", "input %q has mode %q; want one such as 0755", k.From, k.Mode)
		}
		s.Mode = fs.FileMode(mode)
	}
	if _, err := path.Match(k.From, ""); err != nil {
		return s, keyf("inputs", "input %q: %w", k.From, err)
	}
	return s, nil
}
