package reptask

import (
	"slices"

	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// says reports whether the step announces something about an attempt, by one of these names.
func (s *transition) says(a reptask.Attempt, names ...string) bool {
	return slices.ContainsFunc(s.out.Events, func(e protocol.Event) bool {
		return e.Peer == a.By && e.Number == a.Epoch && slices.Contains(names, e.Name)
	})
}

// saysOf reports whether the step announces something about a job.
func (s *transition) saysOf(job reptask.Job, name string) bool {
	return slices.ContainsFunc(s.out.Events, func(e protocol.Event) bool {
		return e.Name == name && e.Peer == job.Owner && e.Number == job.Number
	})
}

func (s *transition) saysPeer(name string, peer protocol.NodeID) bool {
	return slices.ContainsFunc(s.out.Events, func(e protocol.Event) bool { return e.Name == name && e.Peer == peer })
}

// adopts reports whether the step announces that the node owns a job of another one. The attempt
// may have ended within the step.
func (s *transition) adopts() bool {
	return slices.ContainsFunc(s.out.Events, func(e protocol.Event) bool { return e.Name == reptask.EventAdopt })
}

func (s *transition) eventsBroken() string {
	if s.begins() {
		return ""
	}
	for i := range s.after.Tasks {
		if why := s.taskUnsaid(&s.after.Tasks[i]); why != "" {
			return why
		}
	}
	for i := range s.before.Tasks {
		t := &s.before.Tasks[i]
		now := taskIn(s.after, t.Job)
		if now != nil && now.Epoch == t.Epoch {
			continue
		}
		end := []string{reptask.EventCancel}
		switch t.State {
		case reptask.TaskRunning:
			end = []string{reptask.EventStop, reptask.EventForget}
		case reptask.TaskDone:
			end = []string{reptask.EventForget}
		}
		if !s.says(t.Attempt(), end...) {
			return "it drops a task in silence"
		}
	}
	for i := range s.after.Roles {
		if why := s.roleUnsaid(&s.after.Roles[i]); why != "" {
			return why
		}
	}
	for i := range s.before.Roles {
		if r := &s.before.Roles[i]; attemptIn(s.after, r.Attempt()) == nil && !s.says(r.Attempt(), reptask.EventSettled) {
			return "it forgets an attempt in silence"
		}
	}
	for i := range s.after.Owned {
		if why := s.ownedUnsaid(&s.after.Owned[i]); why != "" {
			return why
		}
	}
	return s.peerUnsaid()
}

// taskUnsaid compares a task after the step with the step's events about it.
func (s *transition) taskUnsaid(t *reptask.Task) string {
	a := t.Attempt()
	was := reptask.Task{State: reptask.TaskQueued}
	if b := taskIn(s.before, t.Job); b != nil && b.Epoch == t.Epoch {
		was = *b
	} else if !s.says(a, reptask.EventQueue) {
		return "a task is queued in silence"
	}
	for _, want := range []struct {
		happens bool
		name    string
	}{
		{t.Vote > was.Vote, reptask.EventReady},
		{t.State == reptask.TaskWithdrawing && was.State != t.State, reptask.EventWithdraw},
		{was.State == reptask.TaskWithdrawing && t.State < was.State, reptask.EventRequeue},
		{t.State == reptask.TaskRunning && was.State != t.State, reptask.EventStart},
		{t.State == reptask.TaskDone && was.State != t.State, reptask.EventFinish},
	} {
		if want.happens && !s.says(a, want.name) {
			return "it does not announce its change of a task: " + want.name
		}
	}
	return ""
}

// roleUnsaid compares an attempt after the step with the step's events about it.
func (s *transition) roleUnsaid(r *reptask.Role) string {
	a := r.Attempt()
	was := reptask.Role{}
	if b := attemptIn(s.before, a); b != nil {
		was = *b
	} else if !s.says(a, reptask.EventRepresent) {
		return "it represents an attempt in silence"
	}
	begun := r.Phase == reptask.Started || r.Phase == reptask.Reporting
	for _, want := range []struct {
		happens bool
		name    string
	}{
		{was.Phase == reptask.Collecting && begun, reptask.EventDecide},
		{was.Phase != r.Phase && r.Phase == reptask.Resigning, reptask.EventResign},
		{was.Why != r.Why && r.Why == reptask.Moved, reptask.EventMove},
		{s.fires(reptask.LeaseTimer) && was.Bond == reptask.Asking && r.Bond == reptask.Seeking, reptask.EventOrphan},
		{s.fires(reptask.ResendTimer) && r.Bond == reptask.Seeking, reptask.EventOrphan},
	} {
		if want.happens && !s.says(a, want.name) {
			return "it does not announce its change of an attempt: " + want.name
		}
	}
	if s.in.Kind == protocol.Deliver && s.in.Message.Kind == reptask.Revoke && was.Why != r.Why &&
		r.Why == reptask.Revoked && !s.says(a, reptask.EventRevoke) {
		return "it does not say that an attempt is revoked"
	}
	return ""
}

// ownedUnsaid compares a job after the step with the step's events about it.
func (s *transition) ownedUnsaid(o *reptask.Owned) string {
	was := reptask.Owned{}
	if b := ownedIn(s.before, o.Job); b != nil {
		was = *b
	} else if !s.saysOf(o.Job, reptask.EventSubmit) && !s.adopts() {
		return "it owns a job in silence"
	}
	for _, want := range []struct {
		happens, said bool
	}{
		{o.Attempt() != was.Attempt() && o.By == s.after.Self && o.Job == was.Job, s.says(o.Attempt(), reptask.EventGrant)},
		{o.Parting && !was.Parting, s.says(o.Attempt(), reptask.EventPart)},
		{o.State != was.State && o.State == reptask.JobAccepted, s.says(o.Attempt(), reptask.EventAccept)},
		{o.State != was.State && o.State == reptask.JobCancelled, s.saysOf(o.Job, reptask.EventCancelled)},
		{o.State != was.State && o.State == reptask.JobFailed, s.saysOf(o.Job, reptask.EventFailed)},
	} {
		if want.happens && !want.said {
			return "it does not announce its change of a job"
		}
	}
	return ""
}

// peerUnsaid compares the step's events about peers with the input: suspicions, and ignored inputs.
func (s *transition) peerUnsaid() string {
	switch {
	case s.fires(reptask.LeaseTimer) && !s.saysPeer(reptask.EventExpired, s.in.Timer.Peer):
		return "it suspects a peer in silence"
	case s.fires(reptask.RegrantTimer) && !s.saysPeer(reptask.EventVacant, s.in.Timer.Peer):
		return "it gives a silent peer up in silence"
	case len(s.out.Events) != 1 || s.out.Events[0].Name != reptask.EventIgnore:
		return ""
	case s.out.Events[0].Detail == "":
		return "it does not say why it ignores an input"
	}
	before, after := *s.before, *s.after
	before.Silent, after.Silent = nil, nil // a message ends the silence towards its sender
	if !slices.Equal(reptask.AppendState(s.cfg, nil, before), reptask.AppendState(s.cfg, nil, after)) {
		return "it changes what an input that it ignores is about"
	}
	return ""
}
