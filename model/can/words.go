package can

import "github.com/canvass-grid/canvass/traces"

// Words explain what the texts of the corrected core say, to readers of pages who do not know the
// protocol.
func Words() []traces.Term { return words("can") }

// words explains what the texts of a family's models say, to readers of pages who do not know the
// protocol.
func words(family string) []traces.Term {
	if family == "can" {
		return append(commonWords(), correctedWords()...)
	}
	return append(commonWords(), publishedWords()...)
}

func commonWords() []traces.Term {
	return []traces.Term{
		{
			Kind:    traces.IdeaTerm,
			Word:    "zone",
			Meaning: "each node owns a box of a space of numbers, its zone; together the zones are to make up the space, without gap or overlap, so that each point has one owner",
		},
		{
			Kind:    traces.IdeaTerm,
			Word:    "neighbour",
			Meaning: "a node whose zone touches one’s own; the neighbours of neighbours are known too, as indirect ones",
		},
		{
			Kind:    traces.IdeaTerm,
			Word:    "routing",
			Meaning: "a message to a point goes from neighbour to neighbour, each time nearer to the point",
		},
		{
			Kind:    traces.IdeaTerm,
			Word:    "taking over",
			Meaning: "when a node leaves or fails, the neighbours across its latest split add its zone to theirs",
		},
		{
			Kind:    traces.IdeaTerm,
			Word:    "round",
			Meaning: "one change of the map: SPLIT for a join, MERGE for a leave, TAKEOVER for a failure; its proposer asks all near it, decides, and tells them",
		},

		{
			Kind:    traces.CommandTerm,
			Word:    "create",
			Meaning: "become the first node of a new network, and own all of the space",
		},
		{
			Kind:    traces.CommandTerm,
			Word:    "join",
			Meaning: "get a zone of one’s own: the owner of one’s coordinate splits its zone (a SPLIT)",
		},
		{
			Kind:    traces.CommandTerm,
			Word:    "leave",
			Meaning: "give one’s zone to the neighbours that take it over (a MERGE), and go",
		},

		{
			Kind:    traces.MessageTerm,
			Word:    "Join",
			Meaning: "a request to be let in, passed on towards the owner of the joiner’s coordinate",
		},
		{Kind: traces.MessageTerm, Word: "Refuse", Meaning: "not now: the joiner must ask again"},
		{
			Kind:    traces.MessageTerm,
			Word:    "Propose",
			Meaning: "a node that wants to change the map asks all near it to stand still until it is done; the number is its round’s",
		},
		{
			Kind:    traces.MessageTerm,
			Word:    "ProposeOK",
			Meaning: "the answer: YES is a promise to change nothing until the round is over, NO cancels the round",
		},
		{
			Kind:    traces.MessageTerm,
			Word:    "Commit",
			Meaning: "what the round has decided: NO-OP means that it is cancelled and all stays as it was",
		},
		{
			Kind:    traces.MessageTerm,
			Word:    "Update",
			Meaning: "the periodic news: the sender’s zone, and its neighbours’ zones as it knows them",
		},

		{
			Kind:    traces.TimerTerm,
			Word:    "propose",
			Meaning: "an answer to the proposal has not come in time, and counts as a NO",
		},
		{
			Kind:    traces.TimerTerm,
			Word:    "retry",
			Meaning: "the delay is over after which a request that was put off is tried again",
		},
		{Kind: traces.TimerTerm, Word: "update", Meaning: "it is time to tell the direct neighbours the news"},
		{
			Kind:    traces.TimerTerm,
			Word:    "missed",
			Meaning: "no update has come from that neighbour for so long that it is taken for failed; if this node lies across from it, it takes over",
		},

		{Kind: traces.EventTerm, Word: "create", Meaning: "the node is the first of a new network"},
		{Kind: traces.EventTerm, Word: "joined", Meaning: "the application is told that its node owns a zone now"},
		{Kind: traces.EventTerm, Word: "left", Meaning: "the application is told that its node has left"},
		{Kind: traces.EventTerm, Word: "retry", Meaning: "a request was put off and will be tried again"},
		{Kind: traces.EventTerm, Word: "request", Meaning: "a round begins, with its number and its command"},
		{Kind: traces.EventTerm, Word: "promise", Meaning: "the node said YES to that proposer’s round"},
		{Kind: traces.EventTerm, Word: "refuse", Meaning: "the node said NO to that proposer’s round"},
		{
			Kind:    traces.EventTerm,
			Word:    "decide",
			Meaning: "the proposer takes its round for decided: the command is carried out, or NO-OP",
		},
		{Kind: traces.EventTerm, Word: "execute", Meaning: "another node carries out what that proposer’s round decided"},
		{
			Kind:    traces.EventTerm,
			Word:    "failed",
			Meaning: "the node holds that other one for failed, though it may have left in good order",
		},
		{Kind: traces.EventTerm, Word: "ignore", Meaning: "the node makes nothing of what it got"},

		{
			Kind:    traces.StateTerm,
			Word:    "[0,4)",
			Meaning: "a zone: from 0 to before 4; with x between them, one range for each dimension",
		},
		{Kind: traces.StateTerm, Word: "@(2)", Meaning: "the node’s coordinate, which must lie in its zone"},
		{
			Kind:    traces.StateTerm,
			Word:    "/0<4",
			Meaning: "a split: in dimension 0 the zone lies below 4; the list of splits tells who takes over",
		},
	}
}

// correctedWords adds what only the corrected core says.
func correctedWords() []traces.Term {
	return []traces.Term{
		{
			Kind:    traces.MessageTerm,
			Word:    "Release",
			Meaning: "the round is over: the promise that the receiver has just given is void",
		},
		{Kind: traces.MessageTerm, Word: "CommitOK", Meaning: "the receiver of a Commit acknowledges it"},
		{
			Kind:    traces.MessageTerm,
			Word:    "Query",
			Meaning: "the proposer of a split has failed: did the joiner get its zone?",
		},
		{
			Kind:    traces.MessageTerm,
			Word:    "Answer",
			Meaning: "what a joiner knows of its own split: nothing if it is no member",
		},
		{
			Kind:    traces.TimerTerm,
			Word:    "resend",
			Meaning: "a Commit, a YES or a Query was not answered in time and is sent again",
		},
		{Kind: traces.EventTerm, Word: "release", Meaning: "the node’s promise to that proposer is void"},
		{Kind: traces.EventTerm, Word: "fenced", Meaning: "the node learnt that others hold it for dead, and stopped"},
		{Kind: traces.StateTerm, Word: "v1", Meaning: "the version of a zone: it grows with each change"},
		{
			Kind:    traces.StateTerm,
			Word:    "e1",
			Meaning: "the epoch of a node: how many rounds of others it has executed, so that old news is told from new",
		},
		{
			Kind:    traces.StateTerm,
			Word:    "known{}",
			Meaning: "what the node believes of the nodes near it: version, epoch, zone, coordinate and splits of each",
		},
		{
			Kind:    traces.StateTerm,
			Word:    "dead{}",
			Meaning: "nodes that it knows to have left or failed; one of them that is known, too, is a hole that nobody has taken over yet",
		},
		{
			Kind:    traces.StateTerm,
			Word:    "PROPOSING",
			Meaning: "a round of its own waits for answers, GRANTING for those who get zones, COMMITTING for all others; waiting{} and later{} list them",
		},
		{Kind: traces.StateTerm, Word: "promise", Meaning: "the round of another to which it said YES"},
		{Kind: traces.StateTerm, Word: "contact", Meaning: "whom it asked to be let in"},
	}
}

// publishedWords adds what only the printed core says.
func publishedWords() []traces.Term {
	return []traces.Term{
		{Kind: traces.MessageTerm, Word: "Handover", Meaning: "the joiner’s zone, and the records that go with it"},
		{
			Kind:    traces.EventTerm,
			Word:    "takeover",
			Meaning: "the node adds the zone of the failed one to its own, alone and at once",
		},
		{Kind: traces.StateTerm, Word: "i1", Meaning: "the instance number, by which news is told from old news"},
		{Kind: traces.StateTerm, Word: "γ", Meaning: "the command that the node has requested"},
		{Kind: traces.StateTerm, Word: "reply", Meaning: "the answers to its proposal so far; UNDEF: none yet"},
		{
			Kind:    traces.StateTerm,
			Word:    "nodes",
			Meaning: "what it knows of the nodes near it; BUSY: promised to, or in a round of its own",
		},
		{Kind: traces.StateTerm, Word: "gone", Meaning: "nodes that it knows to have left or failed"},
	}
}
