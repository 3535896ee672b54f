package jobs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/canvass-grid/canvass/daemon/verbatim"
)

// ErrSpec says that a submitted job is not valid.
var ErrSpec = errors.New("the job cannot be taken")

// Spec is a job as a user hands it in.
type Spec struct {
	Name     string        `json:"name,omitempty"` // 1..64 of [a-z0-9-]
	Command  verbatim.List `json:"command"`        // exec, no shell
	Tasks    int           `json:"tasks"`          // k: exactly k start together, or none
	Env      verbatim.List `json:"env,omitempty"`  // NAME=VALUE
	Timeout  time.Duration `json:"timeout_ns,omitempty"`
	Deadline time.Duration `json:"deadline_ns,omitempty"` // of the job, since it was taken

	Retries      Retries `json:"retries,omitzero"`
	RestartLimit *int    `json:"restart_limit,omitempty"` // attempts that nodes may lose; nil: 20
	Kill         Kill    `json:"kill,omitzero"`
	OutputLimit  int64   `json:"stdout_limit,omitempty"` // bytes of each stream; 0: 64 MiB
	Hold         bool    `json:"hold,omitempty"`         // taken, and held until it is released

	Stdin   string        `json:"stdin,omitempty"`   // digest of the standard input of rank 0
	Inputs  []File        `json:"inputs,omitempty"`  // put into the working folder of each rank
	Outputs verbatim.List `json:"outputs,omitempty"` // patterns of files to keep from the working folders
	Array   *Array        `json:"array,omitempty"`
	Index   *int          `json:"index,omitempty"` // of an element of an array
}

// Retries is when a job whose tasks failed by themselves is tried again.
type Retries struct {
	OnExit     int           `json:"on_exit,omitempty"` // so many times
	Codes      []int         `json:"codes,omitempty"`   // on these exit codes; none: on all
	BackoffMin time.Duration `json:"backoff_min_ns,omitempty"`
	BackoffMax time.Duration `json:"backoff_max_ns,omitempty"`
}

// Kill is how tasks are ended: by a signal, and after a time by SIGKILL.
type Kill struct {
	Signal string        `json:"signal,omitempty"` // without SIG; empty: TERM
	Grace  time.Duration `json:"grace_ns,omitempty"`
}

const (
	// TasksLimit is the largest number of tasks of a job.
	TasksLimit = 4095

	// SpecLimit is the largest job as JSON, in bytes: it fits into a frame between daemons.
	SpecLimit = 128 << 10

	// OutputLimit is how many bytes of a stream are kept, unless a job says otherwise.
	OutputLimit = 64 << 20

	// RestartLimit is how many attempts of a job nodes may lose, unless the job says otherwise.
	RestartLimit = 20

	// Grace is the time between the signal that ends a task and SIGKILL, unless a job says
	// otherwise.
	Grace = 2 * time.Second

	graceMax   = 10 * time.Minute
	retriesMax = 1000
	outputMax  = 1 << 40
)

// Signals are the signals that can end a task.
var Signals = []string{"TERM", "INT", "HUP", "QUIT", "USR1", "USR2", "KILL"}

// gridsOwn are the variables in the environment of a task that are not the user's: the variables
// that hosts set, and the mark by which they find its processes.
var gridsOwn = []string{
	"CANVASS_ATTEMPT", "CANVASS_GRID", "CANVASS_HOST", "CANVASS_INDEX", "CANVASS_JOB", "CANVASS_PEERS_FILE",
	"CANVASS_PORTS", "CANVASS_RANK", "CANVASS_SIZE", "CANVASS_TREE", "CANVASS_WORKDIR",
}

var (
	nameShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9-]{1,64}$`) })
	envShape  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`) })
)

// Validate checks the job and fills in defaults.
func (s *Spec) Validate() error {
	if s.Tasks == 0 {
		s.Tasks = 1
	}
	if err := cmp.Or(s.check(), s.checkArray()); err != nil {
		return err
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if len(text) > SpecLimit {
		return specf("it takes %d bytes to describe; %d are the limit: put files into an archive", len(text), SpecLimit)
	}
	return nil
}

// check reports what is wrong with the job, or with the element of an array.
func (s *Spec) check() error {
	for _, check := range []func() error{s.checkCommand, s.checkTimes, s.checkFiles} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// CheckAsTaken reports what is wrong with a job that another node has taken: it may be the element
// of an array.
func (s *Spec) CheckAsTaken() error {
	if err := s.check(); err != nil || s.Index == nil {
		return cmp.Or(err, s.checkArray())
	}
	if s.Array != nil || *s.Index < 0 {
		return specf("an element that is an array, or has the index %d", *s.Index)
	}
	return nil
}

func specf(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrSpec, fmt.Errorf(format, args...))
}

func (s *Spec) checkCommand() error {
	switch {
	case len(s.Command) == 0 || s.Command[0] == "":
		return keyf("command", "no command; give one after --")
	case s.Tasks < 1 || s.Tasks > TasksLimit:
		return keyf("tasks", "%d tasks; want 1 to %d", s.Tasks, TasksLimit)
	case s.Name != "" && !nameShape().MatchString(s.Name):
		return keyf("name", "name %q; want 1 to 64 of a-z, 0-9 and -", s.Name)
	}
	for _, e := range s.Env {
		name, _, _ := strings.Cut(e, "=")
		switch {
		case !envShape().MatchString(e) || strings.ContainsRune(e, 0):
			return keyf("env", "environment %q; want NAME=VALUE", e)
		case slices.Contains(gridsOwn, name):
			return keyf("env", "environment %s, which the grid sets; choose another name", name)
		}
	}
	for _, word := range s.Command {
		if strings.ContainsRune(word, 0) {
			return keyf("command", "the command holds a byte 0, which no argument can")
		}
	}
	return nil
}

// KeyLimit is the largest submit key, in bytes.
const KeyLimit = 256

// CheckKey reports what is wrong with a submit key. It is compared and shown as text.
func CheckKey(key string) error {
	if len(key) > KeyLimit {
		return keyf("key", "a key of %d bytes; want at most %d", len(key), KeyLimit)
	}
	if !utf8.ValidString(key) || strings.ContainsRune(key, 0) {
		return keyf("key", "key %q; want UTF-8", key)
	}
	return nil
}

func (s *Spec) checkTimes() error {
	r := s.Retries
	switch {
	case s.Timeout < 0:
		return keyf("timeout", "a time-out of %v; want a positive one, or none", s.Timeout)
	case s.Deadline < 0:
		return keyf("deadline", "a deadline of %v; want a positive one, or none", s.Deadline)
	case r.OnExit < 0 || r.OnExit > retriesMax:
		return keyf("on-exit", "%d retries; want 0 to %d", r.OnExit, retriesMax)
	case r.BackoffMin < 0 || r.BackoffMax < r.BackoffMin:
		return keyf("backoff", "a back-off of %v..%v; want a shorter time before a longer one", r.BackoffMin, r.BackoffMax)
	case slices.ContainsFunc(r.Codes, func(c int) bool { return c < 1 || c > 255 }):
		return keyf("codes", "retries on the codes %v; want 1 to 255", r.Codes)
	case s.RestartLimit != nil && (*s.RestartLimit < 0 || *s.RestartLimit > retriesMax):
		return keyf("restart-limit", "a restart limit of %d; want 0 to %d", *s.RestartLimit, retriesMax)
	case s.Kill.Signal != "" && !slices.Contains(Signals, s.Kill.Signal):
		return keyf("signal", "signal %q; want one of %s", s.Kill.Signal, strings.Join(Signals, ", "))
	case s.Kill.Grace < 0 || s.Kill.Grace > graceMax:
		return keyf("grace", "a grace of %v; want 0 to %v", s.Kill.Grace, graceMax)
	case s.OutputLimit < 0 || s.OutputLimit > outputMax:
		return keyf("stdout-limit", "a limit of %d bytes of output; want 1 to %d", s.OutputLimit, int64(outputMax))
	}
	return nil
}

// GraceOf is the time that tasks of this job have between the signal and SIGKILL.
func (s *Spec) GraceOf() time.Duration {
	if s.Kill.Grace == 0 {
		return Grace
	}
	return s.Kill.Grace
}
