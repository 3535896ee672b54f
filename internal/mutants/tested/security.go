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
	}, {
		Name: "any-name-of-a-content", File: "daemon/blobs/store.go",
		Old:  "if !IsDigest(digest) {",
		New:  "if false {",
		Why:  "a member that names a content by a short text ends a daemon, or asks for any file",
		Test: "TestOnlyDigestsNameContents",
	}, {
		Name: "records-unchecked", File: "daemon/jobs/copy.go",
		Old:  "		err = r.Check()\n",
		New:  "		_ = r.Check\n",
		Why:  "a member hands in what no user can: files outside of the working folder, arrays without end",
		Test: "TestARecordOfAMemberIsChecked",
	}, {
		Name: "bodies-unchecked", File: "daemon/node/calls.go",
		Old:  "			err = c.check()\n",
		New:  "			_ = c\n",
		Why:  "what a member reports of outputs and attempts is used as it is",
		Test: "TestBodiesAreChecked",
	}, {
		Name: "adopts-without-end", File: "daemon/jobs/table.go",
		Old:  "len(t.byID) >= t.Most",
		New:  "false",
		Why:  "a member that repeats a record under new names fills the memory of a daemon",
		Test: "TestAdoptingIsLimited",
	}, {
		Name: "unreadable-goes-on", File: "daemon/node/breaches.go",
		Old:  "		n.links.Reject(from)\n",
		New:  "		_ = from\n",
		Why:  "a member that sends what cannot be used does so without end",
		Test: "TestWhatCannotBeUsedEndsTheConnection",
	}, {
		Name: "cards-of-anybody", File: "daemon/transport/transport.go",
		Old:  "if err := c.check(t.identity.Load()); err != nil {",
		New:  "if err := c.check(t.identity.Load()); false {",
		Why:  "one card of a member takes a node from the others, and has it end for good",
		Test: "TestOnlyItsNodeSignsACard",
	}, {
		Name: "refusals-need-no-proof", File: "daemon/transport/refusal.go",
		Old:  "&& c.check(id) == nil",
		New:  "",
		Why:  "a member ends a node by saying that a later life of it is known",
		Test: "TestARefusalNeedsAProof",
	}, {
		Name: "claims-are-lives", File: "daemon/transport/link.go",
		Old:  "	if to > l.life.incarnation || to == 0 {\n",
		New:  "	l.raise(to)\n	if to == 0 {\n",
		Why:  "a member that names a later life of a node has it refused as a former one",
		Test: "TestAClaimOfALaterLifeEndsNobody",
	}, {
		Name: "reads-any-file-of-a-job", File: "daemon/node/files.go",
		Old:  "return f.Path == p.Path }) {",
		New:  "return true }) {",
		Why:  "a member reads files that a job has left and that are no outputs",
		Test: "TestOnlyOutputsThatWereToldAreRead",
	}, {
		Name: "opens-any-kind", File: "internal/given/given.go",
		Old:  "	} else if !info.Mode().IsRegular() {",
		New:  "	} else if false {",
		Why:  "what is read in a folder of a job can be a link",
		Test: "TestWhatIsNoFileIsRefused",
	}, {
		Name: "walks-without-end", File: "daemon/blobs/tree.go",
		Old:  "strings.Count(name, \"/\") >= depthLimit:",
		New:  "false:",
		Why:  "a job that leaves deep folders keeps its host busy",
		Test: "TestAWalkEnds",
	},
}
