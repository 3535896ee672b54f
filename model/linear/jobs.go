package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"
)

// JobKind is a kind of operation on a job.
type JobKind uint8

// The operations on jobs.
const (
	Submit   JobKind = iota // OK: the service has it
	Cancel                  // OK: it will have no result
	Status                  // its state
	Result                  // OK: its result, which is returned once
	Start                   // not by a client: a node begins to run it
	Finish                  // not by a client: the run ends with the result Value
	RunFails                // not by a client, open from the crash of the run node: it may run again
	Lost                    // not by a client, open from the crash that left neither owner nor run node: it may be lost
)

// JobState is where a job stands.
type JobState uint8

// The states of a job.
const (
	Absent JobState = iota
	Queued
	Running
	Done
	Cancelled
	Gone
)

// String names the state.
func (s JobState) String() string {
	return [...]string{"absent", "queued", "running", "done", "cancelled", "gone", "?", "?"}[s&7]
}

// JobInput is an operation on a job.
type JobInput struct {
	Kind  JobKind
	Job   string
	Value uint32 // of Finish
}

// JobOutput is the answer: OK of Submit, Cancel and Result, State of Status, Value of a Result that
// is OK.
type JobOutput struct {
	OK    bool
	State JobState
	Value uint32
}

// job is one job as the specification sees it.
type job struct {
	state    JobState
	value    uint32
	answered bool
}

// Jobs is the specification of a job service. A submitted job stays until it is cancelled or lost
// with both its owner and its run node. It runs once, and again only after its run node failed. Its
// result is returned once. A Submit may be refused without a reason.
func Jobs() Spec {
	return Spec{"jobs", porcupine.Model{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			return parts(history, func(input any) (string, bool) { return input.(JobInput).Job, true })
		},
		Init: func() any { return job{} },
		Step: func(state, in, out any) (bool, any) {
			input, j := in.(JobInput), state.(job)
			if input.Kind >= Start {
				return j.happen(input)
			}
			answer, seen := out.(JobOutput)
			if !seen {
				return true, j.unseen(input)
			}
			return j.ask(input, answer)
		},
		DescribeOperation: describeJob,
		DescribeState:     func(state any) string { return state.(job).state.String() },
	}, fitsJob}
}

// fitsJob reports why a job service does not have an operation.
func fitsJob(o Operation) error {
	if in, ok := o.Input.(JobInput); ok && in.Kind >= Start && in.Kind <= Lost {
		return nil // it is not by a client, so its answer does not matter
	}
	in, out, _, err := typed[JobInput, JobOutput](o)
	switch {
	case err != nil:
		return err
	case in.Kind > Lost:
		return fmt.Errorf("JobInput.Kind is %d; it must be one of the constants of type JobKind", in.Kind)
	case out.State > Gone:
		return fmt.Errorf("JobOutput.State is %d; it must be one of the constants of type JobState", out.State)
	}
	return nil
}

// ask applies an operation of a client with a known answer.
func (j job) ask(in JobInput, out JobOutput) (bool, any) {
	switch in.Kind {
	case Submit:
		if out.OK {
			return j.state == Absent, job{state: Queued}
		}
		return true, j
	case Cancel:
		open := j.state == Queued || j.state == Running
		if out.OK {
			return open, job{state: Cancelled}
		}
		return !open, j
	case Status:
		return out.State == j.state, j
	}
	ready := j.state == Done && !j.answered
	if !out.OK {
		return !ready, j
	}
	legal := ready && out.Value == j.value
	j.answered = true
	return legal, j
}

// unseen applies an operation of a client without an answer: it took effect if it could.
func (j job) unseen(in JobInput) job {
	switch {
	case in.Kind == Submit && j.state == Absent:
		return job{state: Queued}
	case in.Kind == Cancel && (j.state == Queued || j.state == Running):
		return job{state: Cancelled}
	case in.Kind == Result && j.state == Done:
		j.answered = true
	}
	return j
}

// happen applies what the service itself does and suffers.
func (j job) happen(in JobInput) (bool, any) {
	switch in.Kind {
	case Start:
		return j.state == Queued, job{state: Running}
	case Finish:
		if j.state == Cancelled || j.state == Gone {
			return true, j // the run was not stopped in time; its result is not returned
		}
		return j.state == Running, job{state: Done, value: in.Value}
	case RunFails:
		if j.state == Running {
			return true, job{state: Queued}
		}
	case Lost:
		if j.state == Queued || j.state == Running || j.state == Done {
			return true, job{state: Gone}
		}
	}
	return true, j
}

func describeJob(input, answer any) string {
	in := input.(JobInput)
	text := [...]string{
		"submit", "cancel", "status of", "result of", "start", "finish", "crash of the run node of", "crash of the nodes of",
	}[in.Kind&7] + " " + in.Job
	out, seen := answer.(JobOutput)
	switch {
	case in.Kind == Finish:
		return fmt.Sprintf("%s: %d", text, in.Value)
	case in.Kind > Result:
		return text
	case !seen:
		return text + unanswered
	case in.Kind == Status:
		return fmt.Sprintf("%s: %v", text, out.State)
	case in.Kind == Result && out.OK:
		return fmt.Sprintf("%s: %d", text, out.Value)
	}
	return fmt.Sprintf("%s: %v", text, out.OK)
}
