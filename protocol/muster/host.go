package muster

// beHost begins the role of a host.
func (n *node) beHost(c Command) {
	if n.Host.Phase != HostAbsent || c.Rep.IsNobody() || len(c.Ports) > PortLimit {
		n.Ignore(c.Rep, "the node is a host already, or the command is no good")
		return
	}
	n.Host = Host{Phase: HostWaiting, Rep: c.Rep, Ports: c.Ports}
	n.Event(EventHere, c.Rep, 0, "")
	n.report()
}

// reports returns the message that a host resends until it is answered: Here until it receives Go
// or Halt, Exit until its representative knows.
func (h *Host) reports() (Message, bool) {
	switch {
	case h.Phase == HostWaiting:
		return Message{Kind: Here, Ports: h.Ports}, true
	case h.Phase == HostEnded && !h.Noted:
		return Message{Kind: Exit, Status: h.Status}, true
	}
	return Message{}, false
}

// report sends that message, if there is one.
func (n *node) report() {
	if m, open := n.Host.reports(); open {
		n.send(n.Host.Rep, m)
	}
}

// endTask ends the task at this host. A host that was halted before its end says so.
func (n *node) endTask(status Status) {
	if n.Host.Phase != HostWaiting && n.Host.Phase != HostRunning {
		n.Ignore(n.Self, "no task is here that could end")
		return
	}
	status.Halted = n.Host.Halted != 0
	n.Host.Phase, n.Host.Status = HostEnded, status
	n.report()
}

// keep waits for the outputs of a task whose process has ended, before its end is reported.
func (n *node) keep(status Status) {
	if !n.Runs() {
		n.Ignore(n.Self, "no process runs here")
		return
	}
	h := &n.Host
	status.Halted = h.Halted != 0
	h.Phase, h.Status = HostKeeping, status
	n.Event(EventKeep, h.Rep, h.Rank, "")
}

// onKept ends a task whose outputs are safe, or could not be kept: such a task has failed, with any
// exit code of its process.
func (n *node) onKept(all bool) {
	h := &n.Host
	if h.Phase != HostKeeping {
		n.Ignore(n.Self, "no outputs are waited for")
		return
	}
	if !all && !h.Status.Failed() {
		h.Status.Cause = Unkept
	}
	h.Phase = HostEnded
	n.report()
}

// onRepresentativeMessage carries out an order of the representative. Its messages may be
// duplicated, delayed and reordered.
func (n *node) onRepresentativeMessage(m Message) {
	h := &n.Host
	switch m.Kind {
	case Go:
		n.start(m)
	case Halt:
		n.halt(m.Reason)
	case Noted:
		if !h.Phase.hasEnded() || h.Noted {
			n.Ignore(h.Rep, "nothing is to be noted")
			return
		}
		h.Noted = true
	case Finish:
		if !h.Phase.hasEnded() {
			n.Ignore(h.Rep, "the task has not ended")
			return
		}
		if h.Phase == HostEnded {
			h.Phase, h.Noted = HostClosed, true
			n.Event(EventFinish, h.Rep, 0, "")
		}
		n.send(h.Rep, Message{Kind: Closed})
	}
}

// start starts the process, once. A host that has received Halt, or could not start the task,
// starts nothing: its status answers a Go that comes later.
func (n *node) start(m Message) {
	h := &n.Host
	switch h.Phase {
	case HostWaiting:
		h.Phase, h.Rank, h.Places = HostRunning, m.Rank, m.Places
		n.Event(EventGo, h.Rep, m.Rank, "")
		n.send(h.Rep, Message{Kind: Going})
	case HostRunning, HostKeeping:
		n.send(h.Rep, Message{Kind: Going})
	default:
		n.Ignore(h.Rep, "the task has ended here")
	}
}

// halt has the driver end the process. If there is no process yet, it is never started.
func (n *node) halt(why Reason) {
	h := &n.Host
	switch {
	case h.Phase == HostWaiting:
		h.Halted = why
		n.Event(EventUnrun, h.Rep, 0, why.String())
		n.endTask(Status{Cause: Unrun})
	case h.Phase == HostRunning && h.Halted == 0:
		h.Halted = why
		n.Event(EventHalt, h.Rep, 0, why.String())
	case h.Phase == HostEnded && !h.Noted:
		n.report()
	default:
		n.Ignore(h.Rep, "the host is halted, or has ended")
	}
}
