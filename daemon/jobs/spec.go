package jobs

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// ErrSpec says that a job cannot be taken as it was handed in.
var ErrSpec = errors.New("the job cannot be taken")

// Spec is a job as a user hands it in.
type Spec struct {
	Name    string        `json:"name,omitempty"` // 1..64 of [a-z0-9-]
	Command []string      `json:"command"`        // exec, no shell
	Tasks   int           `json:"tasks"`          // k: exactly so many start together, or none
	Env     []string      `json:"env,omitempty"`  // NAME=VALUE
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}

// TasksLimit is the largest number of tasks of a job.
const TasksLimit = 4095

var (
	nameShape = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)
	envShape  = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
)

// Validate reports what is wrong with the job, and fills in what was left out.
func (s *Spec) Validate() error {
	if s.Tasks == 0 {
		s.Tasks = 1
	}
	switch {
	case len(s.Command) == 0 || s.Command[0] == "":
		return fmt.Errorf("%w: no command; give one after --", ErrSpec)
	case s.Tasks < 1 || s.Tasks > TasksLimit:
		return fmt.Errorf("%w: %d tasks; want 1 to %d", ErrSpec, s.Tasks, TasksLimit)
	case s.Name != "" && !nameShape.MatchString(s.Name):
		return fmt.Errorf("%w: name %q; want 1 to 64 of a-z, 0-9 and -", ErrSpec, s.Name)
	case s.Timeout < 0:
		return fmt.Errorf("%w: a time-out of %v; want a positive one, or none", ErrSpec, s.Timeout)
	}
	for _, e := range s.Env {
		if !envShape.MatchString(e) || strings.ContainsRune(e, 0) {
			return fmt.Errorf("%w: environment %q; want NAME=VALUE", ErrSpec, e)
		}
	}
	for _, word := range s.Command {
		if strings.ContainsRune(word, 0) {
			return fmt.Errorf("%w: the command holds a byte 0, which no argument can", ErrSpec)
		}
	}
	return nil
}
