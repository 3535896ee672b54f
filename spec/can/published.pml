/* Algorithms 4 to 9 of Jackson (2015) by the letter, for a row of three: conflict.pml includes this file if
 * PRINTED is defined, and has the network, the properties and the processes.
 *
 * Left out: joins and leaves (a change moves a border), failures, updates.
 *
 * Repairs, one by one, to show that each flaw has the cause that we name:
 *   ONCE             an answer counts only while the round is open and R has not answered
 *   ORDERED          no Commit overtakes the Propose of its round
 */

#define STABLE 0
#define BUSY 1

#define UNDEF 0
#define YES 1
#define NO 2

#define NODE(n, q) ((n) * 2 + (q))
bit state[6];     /* node_n[q].state at NODE(n, q); q: A or B, the only ones that are ever BUSY */
byte instance[6]; /* node_n[q].instance */
byte reply[6];    /* node_l[l].reply[r] at l * 3 + r */

#define ANY_BUSY(n)  (state[NODE(n, A)] || state[NODE(n, B)])
#define ALL_YES(l)   (reply[l * 3 + 1 - l] == YES && reply[l * 3 + R] == YES)
#define ANY_UNDEF(l) (reply[l * 3 + 1 - l] == UNDEF || reply[l * 3 + R] == UNDEF)
#define ASKED(l)     (instance[NODE(l, l)] > 0)

inline at_rest() {
	if
	:: QUIET && !(ASKED(A) && ANY_UNDEF(A)) && !(ASKED(B) && ANY_UNDEF(B)) ->
		CLAIM(NobodyBusy, !(ANY_BUSY(A) || ANY_BUSY(B) || ANY_BUSY(R)))
	:: else
	fi
}

/* Algorithm 4, Request(γ). */
inline request(l) {
	!ANY_BUSY(l) && instance[NODE(l, l)] < LIMIT(l);
	state[NODE(l, l)] = BUSY;
	instance[NODE(l, l)]++;
	reply[l * 3 + 1 - l] = UNDEF; send(propose, SLOT(l, instance[NODE(l, l)], 1 - l));
	reply[l * 3 + R] = UNDEF;     send(propose, SLOT(l, instance[NODE(l, l)], R));
	note_request(l)
}

/* Algorithm 5, Propose(i) on r from l. */
inline on_propose(l, i, r) {
	if
	:: ANY_BUSY(r) -> send(no, SLOT(l, i, r))
	:: else -> send(yes, SLOT(l, i, r))
	fi;
	state[NODE(r, l)] = BUSY;
	instance[NODE(r, l)] = i
}

#ifdef ONCE
#define COUNTS(l, r) (state[NODE(l, l)] == BUSY && reply[l * 3 + r] == UNDEF)
#else
#define COUNTS(l, r) true
#endif

/* Algorithm 6, ProposeOK(answer, i) on l from r. */
inline on_answer(l, i, r, answer) {
	if
	:: i == instance[NODE(l, l)] && COUNTS(l, r) ->
		reply[l * 3 + r] = answer;
		if
		:: ALL_YES(l) -> commit_phase(l, true)
		:: else -> if :: ANY_UNDEF(l) :: else -> commit_phase(l, false) fi
		fi
	:: else
	fi
}

/* Algorithm 7, ProposeTimeout(r) on l. */
inline time_out(l, r) {
	ASKED(l) && reply[l * 3 + r] == UNDEF;
	reply[l * 3 + r] = NO;
	if :: ANY_UNDEF(l) :: else -> commit_phase(l, false) fi
}

/* Algorithm 8, CommitPhase(γ) on l. */
inline commit_phase(l, changed) {
	state[NODE(l, l)] = STABLE;
	note_decide(l, changed);
	note_execute(l, instance[NODE(l, l)], changed);
	if
	:: changed -> send(change, SLOT(l, instance[NODE(l, l)], 1 - l)); send(change, SLOT(l, instance[NODE(l, l)], R))
	:: else -> send(noop, SLOT(l, instance[NODE(l, l)], 1 - l)); send(noop, SLOT(l, instance[NODE(l, l)], R))
	fi
}

/* Algorithm 9, Commit(γ, i) on r from l. */
inline on_commit(l, i, r, changed) {
	if
	:: i == instance[NODE(r, l)] -> state[NODE(r, l)] = STABLE; note_execute(l, i, changed)
	:: else
	fi
}

inline on_ack(l, i, r) { skip }
inline on_release(l, i, r) { skip }

proctype timers(byte l) {
	end: do
	:: atomic { time_out(l, 1 - l); at_rest() }
	:: atomic { time_out(l, R); at_rest() }
	od
}
