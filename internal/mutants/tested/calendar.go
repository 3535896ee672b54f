package tested

// calendar are mistakes in how a daemon deals with the time of day: with certificates that end, and
// with clocks that jump.
var calendar = []Mutant{
	{
		Name: "never-renews", File: "daemon/renewal/keeper.go",
		Old:  "k.due() && k.tryAndTell(ctx, links.Cards())",
		New:  "k.due() && false",
		Why:  "every grid is gone 30 days after it was made",
		Test: "TestRenewsFromDay20",
	}, {
		Name: "renews-once", File: "daemon/renewal/keeper.go",
		Old:  "return k.tries.failed == 0 ||",
		New:  "return k.tries.failed == 0 || k.tries.failed < 2 &&",
		Why:  "a try that fails while the authority is down is the last one",
		Test: "TestGoesOnTrying",
	}, {
		Name: "renews-for-another", File: "daemon/identity/renewal.go",
		Old:  "if renewed.Peer() != id.Peer() {",
		New:  "if renewed.Grid != id.Grid {",
		Why:  "a node takes the certificate of another address, and two nodes have one",
		Test: "TestAWrongAnswerIsNotTaken", Where: "daemon/renewal",
	}, {
		Name: "renews-for-strangers", File: "daemon/identity/renewal.go",
		Old:  "if err := former.CheckSignatureFrom(a.certificate); err != nil {",
		New:  "if err := former.CheckSignatureFrom(a.certificate); err != nil && a.key == nil {",
		Why:  "a stranger that makes a certificate for a grid gets one that the grid believes",
		Test: "TestRenewRefuses",
	}, {
		Name: "renews-without-end", File: "daemon/identity/renewal.go",
		Old:  "if now.After(former.NotAfter.Add(RenewalGrace)) {",
		New:  "if false {",
		Why:  "a disk that was thrown away ten years ago makes its finder a member",
		Test: "TestRenew", Where: "daemon/transport",
	}, {
		Name: "renewed-by-anyone", File: "daemon/identity/tls.go",
		Old:  "if bytes.Equal(root.RawSubjectPublicKeyInfo, state.PeerCertificates[0].RawSubjectPublicKeyInfo) {",
		New:  "if root != nil {",
		Why:  "a member answers in place of the authority that a certificate is not to be renewed",
		Test: "TestRenew", Where: "daemon/transport",
	}, {
		Name: "used-before-durable", File: "daemon/renewal/keeper.go",
		Old:  "\t\terr = renewed.SaveCertificate(k.config.Folder)\n",
		New:  "\t\t_ = renewed.SaveCertificate(k.config.Folder)\n",
		Why:  "a node that is started again has the certificate that has ended",
		Test: "TestTheDiskIsFirst",
	}, {
		Name: "authority-waits-for-others", File: "daemon/renewal/keeper.go",
		Old:  "if k.config.Authority != nil && k.config.Wall().After(k.Identity().Due()) {",
		New:  "if false {",
		Why:  "the daemon with the authority begins a life with a certificate that is about to end",
		Test: "TestPrepareOfTheAuthority",
	}, {
		Name: "outlives-its-certificate", File: "daemon/transport/conn.go",
		Old:  "\tif !now.After(c.ends) {\n",
		New:  "\tif true {\n",
		Why:  "a stolen key is a member for as long as its connection is kept",
		Test: "TestAConnectionEndsWithItsCertificates",
	}, {
		Name: "outlives-its-own-certificate", File: "daemon/transport/conn.go",
		Old:  "\tif peer.Before(own) {\n",
		New:  "\tif true {\n",
		Why:  "a connection goes on after the certificate of this node has ended, if that of the peer has not",
		Test: "TestAConnectionEndsWithItsCertificates",
	}, {
		Name: "former-certificate-stays", File: "daemon/transport/dial.go",
		Old:  "\tnow.replaces--\n",
		New:  "\treturn\n\tnow.replaces--\n",
		Why:  "all connections end at once with the former certificate, and leases with them",
		Test: "TestReloadLosesNothing",
	}, {
		Name: "replaces-all-at-once", File: "daemon/transport/dial.go",
		Old:  "\tnow.replaces--\n",
		New:  "",
		Why:  "a node with thousands of connections makes them all anew in one moment",
		Test: "TestReloadIsStaggered",
	}, {
		Name: "dials-with-an-ended-one", File: "daemon/identity/tls.go",
		Old:  "\tif err := id.ValidAt(now); err != nil {\n",
		New:  "\tif err := id.ValidAt(now); err != nil && now.IsZero() {\n",
		Why:  "a node whose clock is ahead makes and ends connections as fast as the network lets it",
		Test: "TestANodeWithoutAValidCertificateKeepsAPace", Where: "daemon/transport",
	}, {
		Name: "ended-certificate-speaks", File: "daemon/identity/tls.go",
		Old:  "return verify(state, id.Grid, id.Roots, now)",
		New:  "return verify(state, id.Grid, id.Roots, once(state, now))",
		Why:  "a certificate that has ended is as good as any",
		Test: "TestExpiryIsExplained",
	}, {
		Name: "ages-by-the-time-of-day", File: "daemon/node/machine.go",
		Old:  "\tif now := r.wall(); now.Before(passed) {\n",
		New:  "\tif now := r.wall(); !now.IsZero() {\n",
		Why:  "a clock that is ahead for a minute costs all records and outputs of jobs that have ended",
		Test: "TestRecordsStayWhenTheTimeOfDayJumps",
	}, {
		Name: "believes-other-clocks", File: "daemon/node/end.go",
		Old:  "\tif !before {\n",
		New:  "\tif k.seen -= rs.since(k.record.Changes[0].At); !before {\n",
		Why:  "a custodian whose clock is ahead drops each job that it is asked to keep, and no user gets an answer",
		Test: "TestScenarios", Where: "sim/daemon",
	}, {
		Name: "waits-for-the-past", File: "daemon/node/machine.go",
		Old:  "return max(0, r.wall().Sub(at))",
		New:  "return r.wall().Sub(at)",
		Why:  "a job waits a year for its deadline, since the clock was set back by a year",
		Test: "TestADeadlineEndsAlsoWhenTheClockWasSetBack",
	},
}
