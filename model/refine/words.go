package refine

import (
	"slices"

	"github.com/canvass-grid/canvass/traces"
)

// Words explain the terms, messages, timers and events of protocol/refine to readers of a page.
func Words() []traces.Term { return slices.Concat(commonWords(), correctedWords()) }

// correctedWords are those of the corrected protocol only.
func correctedWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.CommandTerm, Word: "add", Meaning: "these nodes may be near: they become candidates for the " +
			"node’s own cluster"},
		{Kind: traces.CommandTerm, Word: "drop", Meaning: "these nodes are no longer candidates"},
		{Kind: traces.CommandTerm, Word: "measure", Meaning: "latencies may have changed: measure the members again"},
		{Kind: traces.CommandTerm, Word: "leave", Meaning: "give up the cluster and all memberships, then stop"},

		{Kind: traces.MessageTerm, Word: "Solicitation", Meaning: "a head asks a client to join; it reports how " +
			"large its cluster can become (ceiling) and how many clients have accepted (sure)"},
		{Kind: traces.MessageTerm, Word: "Update", Meaning: "a head reports new prospects to a client that has not " +
			"answered yet"},
		{Kind: traces.MessageTerm, Word: "Accept", Meaning: "the head can count on the client, which reserves a " +
			"place for it; when resent, it is a heartbeat"},
		{Kind: traces.MessageTerm, Word: "Deny", Meaning: "the client is in as many clusters as M allows"},
		{Kind: traces.MessageTerm, Word: "Defer", Meaning: "not in this round: the head may ask again"},
		{Kind: traces.MessageTerm, Word: "List", Meaning: "all clients that have accepted; they must measure each other"},
		{Kind: traces.MessageTerm, Word: "Report", Meaning: "the latencies that the client has measured; ? marks one " +
			"that is missing"},
		{Kind: traces.MessageTerm, Word: "Confirm", Meaning: "the client is in the cluster, and these are its " +
			"members; when resent, it is a heartbeat"},
		{Kind: traces.MessageTerm, Word: "Dismiss", Meaning: "the client is not, or no longer, in the cluster"},
		{Kind: traces.MessageTerm, Word: "Leave", Meaning: "the client reserves no place for the head’s cluster, " +
			"although the head counts it"},
		{Kind: traces.MessageTerm, Word: "Alive", Meaning: "a heartbeat of a node that has nothing to resend"},

		{Kind: traces.TimerTerm, Word: "collect", Meaning: "no more candidates came for some time: the round begins"},
		{Kind: traces.TimerTerm, Word: "wait", Meaning: "no more suitors came for some time: the client answers"},
		{Kind: traces.TimerTerm, Word: "measure", Meaning: "measurements are overdue: a node that is not measured " +
			"yet counts as far"},
		{Kind: traces.TimerTerm, Word: "keep", Meaning: "it is time to resend what the other nodes may have missed"},
		{Kind: traces.TimerTerm, Word: "retry", Meaning: "it is time to ask the clients again that deferred the head"},
		{Kind: traces.TimerTerm, Word: "missed", Meaning: "that node sent no heartbeat for so long that it is suspected"},

		{Kind: traces.EventTerm, Word: "round", Meaning: "the node begins a round as a head"},
		{Kind: traces.EventTerm, Word: "steady", Meaning: "the head has found its cluster"},
		{Kind: traces.EventTerm, Word: "accept", Meaning: "the client accepts that head"},
		{Kind: traces.EventTerm, Word: "deny", Meaning: "the client denies that head"},
		{Kind: traces.EventTerm, Word: "defer", Meaning: "the client defers that head"},
		{Kind: traces.EventTerm, Word: "measured", Meaning: "a measurement arrived: the latency to that node, in " +
			"microseconds"},
		{Kind: traces.EventTerm, Word: "committed", Meaning: "the client is in that head’s cluster"},
		{Kind: traces.EventTerm, Word: "released", Meaning: "the client is no longer in that head’s cluster"},
		{Kind: traces.EventTerm, Word: "removed", Meaning: "that member is removed from the node’s own cluster"},
		{Kind: traces.EventTerm, Word: "failed", Meaning: "the node suspects that other node"},
		{Kind: traces.EventTerm, Word: "left", Meaning: "the node has left"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node ignores an input"},

		{Kind: traces.StateTerm, Word: "asked", Meaning: "a candidate has not answered yet; fresh: it has not been " +
			"asked; accepted, denied, deferred: its answer; filtered, member, dropped: its result"},
		{Kind: traces.StateTerm, Word: "at", Meaning: "a head that the client deals with, and its round: suitor, " +
			"promised (accepted) or committed (in its cluster)"},
		{Kind: traces.StateTerm, Word: "ceiling", Meaning: "the largest size that the cluster can still reach in " +
			"this round"},
		{Kind: traces.StateTerm, Word: "sure", Meaning: "the number of nodes that have accepted, with the head"},
	}
}

// publishedWords explain the published protocol.
func publishedWords() []traces.Term { return slices.Concat(commonWords(), onlyPublishedWords()) }

// onlyPublishedWords are those of the published protocol only.
func onlyPublishedWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.CommandTerm, Word: "near", Meaning: "all nodes that may be near: the candidates for the node’s " +
			"own cluster"},

		{Kind: traces.MessageTerm, Word: "Solicit", Meaning: "a head asks a client to join, and reports how many " +
			"clients it seeks"},
		{Kind: traces.MessageTerm, Word: "Update", Meaning: "a head reports how many clients it seeks, which have " +
			"accepted and how many have denied"},
		{Kind: traces.MessageTerm, Word: "Accept", Meaning: "the client wants to be in this cluster"},
		{Kind: traces.MessageTerm, Word: "Reject", Meaning: "the client does not want to be in this cluster"},
		{Kind: traces.MessageTerm, Word: "Defer", Meaning: "not now: the head must wait for another answer"},
		{Kind: traces.MessageTerm, Word: "Report", Meaning: "the latencies that the client has measured"},
		{Kind: traces.MessageTerm, Word: "Confirm", Meaning: "the client is in the cluster, and these are its members"},
		{Kind: traces.MessageTerm, Word: "Deny", Meaning: "the head notifies a client that it is not in the cluster"},

		{Kind: traces.TimerTerm, Word: "collect", Meaning: "no more candidates came for some time: the round begins"},
		{Kind: traces.TimerTerm, Word: "wait", Meaning: "no more suitors came for some time: the client answers"},
		{Kind: traces.TimerTerm, Word: "deferred", Meaning: "the deferral is over: the head may be answered now"},
		{Kind: traces.TimerTerm, Word: "fault", Meaning: "that head sent nothing for so long that it is suspected"},

		{Kind: traces.EventTerm, Word: "round", Meaning: "the head has asked its candidates"},
		{Kind: traces.EventTerm, Word: "steady", Meaning: "the head has found its cluster"},
		{Kind: traces.EventTerm, Word: "measured", Meaning: "a measurement arrived: the latency to that node, in " +
			"microseconds"},
		{Kind: traces.EventTerm, Word: "accept", Meaning: "the client accepts that head"},
		{Kind: traces.EventTerm, Word: "commit", Meaning: "the client is in that head’s cluster"},
		{Kind: traces.EventTerm, Word: "failed", Meaning: "the client suspects that head"},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node ignores an input"},
	}
}

// commonWords are those of the corrected protocol and of the published one.
func commonWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.IdeaTerm, Word: "cluster", Meaning: "nodes that have measured each other and are near, so that " +
			"the parts of a parallel job can run on them; each node is head of one cluster and client of " +
			"others"},
		{Kind: traces.IdeaTerm, Word: "head", Meaning: "the node that makes a cluster: it asks candidates, has those " +
			"that accept measure each other, and takes the largest set of nodes that are all near each other"},
		{Kind: traces.IdeaTerm, Word: "suitor", Meaning: "a head that has asked a client and has no answer yet"},
		{Kind: traces.IdeaTerm, Word: "round", Meaning: "one attempt of a head to find its cluster; rounds are numbered"},
		{Kind: traces.IdeaTerm, Word: "membership", Meaning: "a node is in at most M clusters, and a cluster has at " +
			"most N members"},

		{Kind: traces.StateTerm, Word: "IDLE", Meaning: "of a head: nothing to do; of a client: it takes no part " +
			"yet, or no longer"},
		{Kind: traces.StateTerm, Word: "COLLECT", Meaning: "of a head: candidates arrive"},
		{Kind: traces.StateTerm, Word: "SOLICIT", Meaning: "of a head: it has asked, and waits for answers"},
		{Kind: traces.StateTerm, Word: "FILTER", Meaning: "of a head: it waits for measurements, then finds the " +
			"largest set of nodes near each other"},
		{Kind: traces.StateTerm, Word: "WAIT", Meaning: "of a client: it collects suitors before it answers"},
		{Kind: traces.StateTerm, Word: "MEASURE", Meaning: "of a client: it has accepted, and waits for the " +
			"confirmation"},
		{Kind: traces.StateTerm, Word: "STEADY", Meaning: "no round is in progress"},
	}
}
