package mutants

import "slices"

// Refused lists mutants that break Refines, with all other properties off: a step is none of the
// abstract machine's (package model/abstract). It says which step that would be. Each mutant of the
// rounds that a model catches is here or in [Refined].
var Refused = map[string]string{
	"noop-keeps-command":       "Cancel",
	"noop-keeps-gone":          "Cancel",
	"grant-last":               "Decide",
	"grant-not-first":          "Decide",
	"proceed-all-at-once":      "Decide",
	"proceed-drops-later":      "Request",
	"no-wait-for-acks":         "Request",
	"proposer-no-execute":      "Decide",
	"leaver-departs-at-once":   "Decide",
	"commitok-any-round":       "Acknowledge",
	"proposeok-no-is-yes":      "Cancel",
	"proposeok-any-round":      "Count",
	"timeout-commits":          "Cancel",
	"promise-to-any":           "Promise",
	"promise-while-changing":   "Promise",
	"promise-twice":            "Over",
	"stale-yes":                "Promise",
	"propose-older-again":      "Over",
	"commit-without-promise":   "Execute",
	"commit-any-proposer":      "Over",
	"proposeok-releases-later": "SendRelease",
	"release-keeps-promise":    "Over",
	"release-not-announced":    "Over",
	"commit-any-round":         "Over",
	"released-any-round":       "Over",
	"yes-unheard":              "Cancel",
	"epoch-not-begun":          "Execute",

	"request-promised":    "Request",
	"update-in-round":     "Tell",
	"yes-after-decision":  "Acknowledge",
	"give-up-in-epoch":    "Request",
	"no-shows-its-change": "SendNo",
	"reclaim-bound":       "Reclaim",
}

// The reasons for which the machine allows a mutant.
const (
	sendsLess  = "a message that is not sent might have been lost: liveness, which a refinement does not show"
	knowsOther = "a node may know and forget any others: neighbourhoods are not part of the machine"
)

// Refined lists mutants of the rounds that the abstract machine allows, with the reason.
var Refined = map[string]string{
	"resend-no-proposing-later": sendsLess,
	"ack-only-with-promise":     sendsLess,
	"proposeok-no-release":      sendsLess,
	"no-resend-yes":             sendsLess,
	"no-counts-for-nothing":     sendsLess,
	"no-resend-query":           sendsLess,
	"orphan-resends-yes":        sendsLess,
	"no-bury-gone":              knowsOther,
	"execute-not-dead":          knowsOther,
	"no-learn-view":             knowsOther,
	"takeover-tells-nothing":    knowsOther,
	"no-supersede":              knowsOther,
}

// breakages are mutants that only the abstract machine has to refuse.
var breakages = []Mutant{
	{
		Name: "yes-after-decision", File: "can/propose.go",
		Old:   "case current && n.Change.Stage == Proposing && i >= 0 && yes:",
		New:   "case current && i >= 0 && yes:",
		Why:   "a late YES counts in a round that was cancelled",
		Model: "can/row3/leave-leave-early", Property: "Refines",
	},
	{
		Name: "give-up-in-epoch", File: "can/failure.go",
		Old:   "n.release()\n\tn.Self.Epoch++",
		New:   "n.release()",
		Why:   "nodes that executed a round refuse the updates of a node that gave it up",
		Model: "can/tee/leave-crash", Property: "Refines",
	},
	{
		Name: "no-shows-its-change", File: "can/propose.go",
		Old:   "if n.mayReport() {",
		New:   "if n.Phase == Member {",
		Why:   "a NO reports a split that its joiner does not know and may never receive",
		Model: "can/row2/join-join-crash-early", Property: "Refines",
	},
	{
		Name: "reclaim-bound", File: "can/update.go",
		Old:   "ok && !n.Busy() && reported",
		New:   "ok && reported",
		Why:   "a node takes a share while a round builds on its present zone",
		Model: "can/tee/leave-crash-early", Property: "Refines",
	},
}

// OfRounds lists the mutants that the abstract machine of the rounds is tried with: those of the
// rounds that a model catches, and some more.
func OfRounds() (all []Mutant) {
	for _, m := range slices.Concat(All(), breakages) {
		ofRounds := m.Model != "" && (m.File == "can/propose.go" || m.File == "can/commit.go")
		if ofRounds || Refused[m.Name] != "" {
			all = append(all, m)
		}
	}
	return all
}
