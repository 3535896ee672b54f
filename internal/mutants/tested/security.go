package tested

// security are mistakes that let strangers, members, jobs or the calendar harm a daemon.
var security = []Mutant{
	{
		Name: "silent-ones-stay", File: "daemon/door/door.go",
		Old:  "return v.stage == Silent && now.Sub(v.since) > Grace",
		New:  "return false",
		Why:  "a connection that is silent for long may stay longer than that of a member that has spoken",
		Test: "TestWhoMustGo",
	}, {
		Name: "crowds-do-not-count", File: "daemon/door/door.go",
		Old:  "cmp.Compare(crowd[b.network], crowd[a.network])",
		New:  "0",
		Why:  "a flood from one network sends the connections of all others away",
		Test: "TestWhoMustGo",
	}, {
		Name: "silent-ones-first", File: "daemon/door/door.go",
		Old:  "if silent >= d.places/2 {",
		New:  "if true {",
		Why:  "a flood of handshakes that stop half way keeps out all that come later",
		Test: "TestWhoMustGo",
	}, {
		Name: "members-are-strangers", File: "daemon/door/door.go",
		Old:  "d.known[ip.Unmap()] = struct{}{}",
		New:  "_ = ip",
		Why:  "a flood from many networks keeps members out",
		Test: "TestWhoMustGo",
	}, {
		Name: "strangers-fill-the-door", File: "daemon/transport/accept.go",
		Old:  "visit.Reach(door.Spoken)\n\t\t_ = raw",
		New:  "_ = raw",
		Why:  "a connection whose handshake takes longer than a moment makes way for silent ones",
		Test: "TestSlowHandshake",
	}, {
		Name: "anybody-answers-a-join", File: "daemon/identity/tls.go",
		Old:  "!bytes.Equal(sum[:], t.Authority[:])",
		New:  "false",
		Why:  "a member gives a newcomer a root of its own, and the newcomer trusts that one alone",
		Test: "TestNobodyElseAnswersAJoin",
	},
}
