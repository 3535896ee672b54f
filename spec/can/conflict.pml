/* CAN conflict detection reduced to the bookkeeping of rounds.
 *
 * A row of three nodes: A, R, B. A and B propose changes; each is in the other's neighbourhood, and R is
 * their common direct neighbour. A change of A moves the border between A and R, one of B that between R
 * and B. Zones are reduced to their versions: a node's version counts the changes of its zone.
 *
 * The network is a set of messages: any of them may come next, or never. With DUPS, so many deliveries
 * leave the message where it is; with DROPS, so many messages are lost.
 *
 *   PRINTED          Algorithms 4 to 9 of Jackson (2015) by the letter; else the corrected protocol
 *   WATCH=property   only this property is asserted; else all
 *   ROUNDS=1 or 2    rounds that A may begin (2)
 *   ROUNDS_B=…       rounds that B may begin (as many)
 *   UPDATES          updates about zones may arrive at any time, in addition to those of rounds
 *   SOLO             only A proposes, and no timer is early: then the round must be granted
 *   BOTH             instead of the properties: no run in which a change of A and one of B take effect
 *
 * Repairs of the printed algorithms, one by one, to show that each flaw has the cause that we name:
 *   ONCE             an answer counts only while the round is open and R has not answered
 *   ORDERED          no Commit overtakes the Propose of its round
 *
 * Mutants of the corrected protocol, each of which some property must catch:
 *   COUNT_LATE       a YES counts even after the round was decided
 *   KEEP_SILENT      a YES to a round that is over is not answered with Release
 *   OBEY             R executes a Commit although it holds no promise
 *   HURRY            L does not wait for acknowledgements
 */

#define A 0
#define B 1
#define R 2

#define NoConflict     1
#define NoOverlap      2
#define CancelledStays 3
#define ViewsAgree     4
#define NobodyBusy     5
#define Granted        6

#ifndef WATCH
#define WATCH 0
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef ROUNDS_B
#define ROUNDS_B ROUNDS
#endif
#define LIMIT(l) (l == A -> ROUNDS : ROUNDS_B)
#ifndef DUPS
#define DUPS 0
#endif
#ifndef DROPS
#define DROPS 0
#endif

#ifdef BOTH
#define CLAIM(property, holds) skip
#else
#define CLAIM(property, holds) assert(holds || (WATCH != 0 && WATCH != property))
#endif

/* ---- The network ---- */

/* Each kind of message is a set of slots: (proposer, round, participant). */
#define SLOT(l, i, r) (1 << ((l) * 4 + (i) * 2 - 2 + (r) / 2))
#define INDEX(l, i)   ((l) * 2 + (i) - 1)
#define BIT(n)        (1 << (n))

byte propose, yes, no, noop, change, ack, release; /* noop and change are Commits */
byte dups = DUPS, drops = DROPS;

#define QUIET (!(propose | yes | no | noop | change | ack | release))

inline send(m, slot)    { m = m | slot }
inline receive(m, slot) { if :: m = m & (255 - slot) :: dups > 0 -> dups-- fi }

#ifdef ORDERED
#define MAY_COMMIT(l, i, r) (!(propose & SLOT(l, i, r)))
#else
#define MAY_COMMIT(l, i, r) true
#endif

/* ---- What the properties remember ---- */

bit open[2], overlapped[2];       /* rounds between request and decision; one in conflict took effect */
byte cancelled, done;             /* bits by INDEX: somebody executed the round as NO-OP, as a change */

inline note_request(l) { open[l] = 1; overlapped[l] = 0 }

inline note_decide(l, changed) {
	if
	:: changed -> CLAIM(NoConflict, !overlapped[l]); overlapped[1 - l] = open[1 - l]
	:: else
	fi;
	open[l] = 0; overlapped[l] = 0
}

inline note_execute(l, i, changed) {
	if
	:: changed -> done = done | BIT(INDEX(l, i))
	:: else -> cancelled = cancelled | BIT(INDEX(l, i))
	fi;
	CLAIM(CancelledStays, !((done & BIT(INDEX(l, i))) && (cancelled & BIT(INDEX(l, i)))));
#ifdef BOTH
	assert(!((done & 3) && (done & 12)))
#endif
}

#ifdef PRINTED

/* ==== Algorithms 4 to 9 ==== */

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

#else

/* ==== The corrected protocol: package protocol/can ==== */

#define STABLE 0
#define PROPOSING 1
#define GRANTING 2
#define COMMITTING 3

byte round[2], stage[2];
byte waiting[2], later[2];              /* sets of participants, as in type Change */
byte promised[3];                       /* 1 + the proposer, or 0 */
byte promised_round[3];
byte version[3] = 1;
byte known[9] = 1;                      /* the version of q as n knows it, at n * 3 + q */
byte seen[8];                           /* the version that a Propose carries */
byte told[8];                           /* the version that a NO carries */
byte new_l[4], new_r[4];                /* by INDEX: the records in a Commit, of l and of R */

#define PLACE(l, i, r) ((l) * 4 + (i) * 2 - 2 + (r) / 2)
#define HAS_ROUND(n) ((n) != R && stage[n] != STABLE)
#define IS_BUSY(n)   (HAS_ROUND(n) || promised[n])
#define ANYBODY_BUSY (IS_BUSY(A) || IS_BUSY(B) || IS_BUSY(R))
#define KNOWS(n, q)  (known[(n) * 3 + (q)] == version[q])

/* A busy node has a timer pending, so no quiescent node is busy: what is to be shown is that every run ends. */
inline at_rest() {
	if
	:: QUIET && !ANYBODY_BUSY ->
		CLAIM(ViewsAgree, (KNOWS(A, R) && KNOWS(A, B) && KNOWS(B, R) && KNOWS(B, A) && KNOWS(R, A) && KNOWS(R, B)));
#ifdef SOLO
		CLAIM(Granted, (round[A] == 0 || (done & BIT(INDEX(A, round[A])))))
#endif
	:: else
	fi
}

inline learn(n, q, v) { if :: known[(n) * 3 + (q)] < v -> known[(n) * 3 + (q)] = v :: else fi }

/* A node's zone changes by a granted round: the change must build on the zone that the node has. */
inline adopt(n, v) { CLAIM(NoOverlap, v == version[n] + 1); version[n] = v }

inline request(l) {
	!IS_BUSY(l) && round[l] < LIMIT(l);
	round[l]++;
	stage[l] = PROPOSING;
	waiting[l] = BIT(1 - l) | BIT(R);
	new_l[INDEX(l, round[l])] = version[l] + 1;
	new_r[INDEX(l, round[l])] = known[l * 3 + R] + 1;
	seen[PLACE(l, round[l], 1 - l)] = known[l * 3 + 1 - l]; send(propose, SLOT(l, round[l], 1 - l));
	seen[PLACE(l, round[l], R)] = known[l * 3 + R];         send(propose, SLOT(l, round[l], R));
	note_request(l)
}

#define STALE(l, i, r) (seen[PLACE(l, i, r)] != version[r])

inline on_propose(l, i, r) {
	if
	:: promised[r] == l + 1 && i == promised_round[r] -> send(yes, SLOT(l, i, r))
	:: promised[r] == l + 1 && i < promised_round[r]
	:: else ->
		if
		:: promised[r] == l + 1 -> promised[r] = 0; promised_round[r] = 0 /* a newer round: the older is over */
		:: else
		fi;
		if
		:: IS_BUSY(r) || STALE(l, i, r) -> told[PLACE(l, i, r)] = version[r]; send(no, SLOT(l, i, r))
		:: else -> promised[r] = l + 1; promised_round[r] = i; send(yes, SLOT(l, i, r))
		fi
	fi
}

#ifdef COUNT_LATE
#define OPEN(l, i, r) (i == round[l] && ((waiting[l] | later[l]) & BIT(r)))
#else
#define OPEN(l, i, r) (i == round[l] && stage[l] == PROPOSING && (waiting[l] & BIT(r)))
#endif
#define CONCERNED(l, i, r) (i == round[l] && stage[l] != STABLE && ((waiting[l] | later[l]) & BIT(r)))

inline on_answer(l, i, r, answer) {
	if :: !answer -> learn(l, r, told[PLACE(l, i, r)]); if :: (no & SLOT(l, i, r)) :: else -> told[PLACE(l, i, r)] = 0 fi :: else fi;
	if
	:: answer && OPEN(l, i, r) ->
		waiting[l] = waiting[l] & (7 - BIT(r)); later[l] = later[l] | BIT(r);
		if :: waiting[l] == 0 -> commit_phase(l, true) :: else fi
	:: !answer && OPEN(l, i, r) && stage[l] == PROPOSING -> commit_phase(l, false)
	:: answer && !OPEN(l, i, r) && !CONCERNED(l, i, r) ->
#ifndef KEEP_SILENT
		send(release, SLOT(l, i, r))
#else
		skip
#endif
	:: else
	fi
}

inline time_out(l) { stage[l] == PROPOSING; commit_phase(l, false) }

inline commit_phase(l, changed) {
	waiting[l] = BIT(1 - l) | BIT(R); later[l] = 0;
	note_decide(l, changed);
	note_execute(l, round[l], changed);
	if
	:: changed -> /* R, whose zone changes, is notified first */
		stage[l] = GRANTING; waiting[l] = BIT(R); later[l] = BIT(1 - l);
		adopt(l, new_l[INDEX(l, round[l])]);
		learn(l, R, new_r[INDEX(l, round[l])]);
		send(change, SLOT(l, round[l], R))
	:: else ->
		stage[l] = COMMITTING;
		send(noop, SLOT(l, round[l], 1 - l)); send(noop, SLOT(l, round[l], R))
	fi;
#ifdef HURRY
	if :: later[l] -> send(change, SLOT(l, round[l], 1 - l)) :: else fi;
	stage[l] = STABLE; waiting[l] = 0; later[l] = 0
#endif
}

inline on_commit(l, i, r, changed) {
	send(ack, SLOT(l, i, r));
	if
#ifdef OBEY
	:: true ->
#else
	:: promised[r] == l + 1 && promised_round[r] == i ->
#endif
		promised[r] = 0; promised_round[r] = 0;
		note_execute(l, i, changed);
		if
		:: changed ->
			learn(r, l, new_l[INDEX(l, i)]);
			if
			:: r == R -> adopt(r, new_r[INDEX(l, i)])
			:: else -> learn(r, R, new_r[INDEX(l, i)])
			fi
		:: else
		fi
	:: else
	fi
}

inline on_ack(l, i, r) {
	if
	:: stage[l] >= GRANTING && i == round[l] ->
		waiting[l] = waiting[l] & (7 - BIT(r)); later[l] = later[l] & (7 - BIT(r));
		if
		:: waiting[l] == 0 && stage[l] == GRANTING && later[l] ->
			stage[l] = COMMITTING; waiting[l] = later[l]; later[l] = 0;
			send(change, SLOT(l, i, 1 - l))
		:: waiting[l] == 0 && !later[l] -> stage[l] = STABLE
		:: else
		fi
	:: else
	fi
}

inline on_release(l, i, r) {
	if
	:: promised[r] == l + 1 && promised_round[r] == i -> promised[r] = 0; promised_round[r] = 0
	:: else
	fi
}

/* What the resend timer of a proposer repeats, and that of a node that holds a promise. */
inline resend_commit(l, r) {
	if
	:: stage[l] >= GRANTING && (waiting[l] & BIT(r)) ->
		if
		:: (done & BIT(INDEX(l, round[l]))) -> send(change, SLOT(l, round[l], r))
		:: else -> send(noop, SLOT(l, round[l], r))
		fi
	:: else
	fi
}

inline resend_yes(r) {
	if
	:: promised[r] -> send(yes, SLOT(promised[r] - 1, promised_round[r], r))
	:: else
	fi
}

/* The propose timer may run out at any time: messages may be slow. When nothing is in flight any more, all
 * timers do. */
proctype timers(byte l) {
	end: do
#ifndef SOLO
	:: atomic { time_out(l); at_rest() }
#endif
	:: atomic {
		l == A && QUIET && ANYBODY_BUSY ->
		resend_commit(A, B); resend_commit(A, R); resend_commit(B, A); resend_commit(B, R);
		resend_yes(A); resend_yes(B); resend_yes(R);
		if :: time_out(A) :: stage[A] != PROPOSING fi;
		if :: time_out(B) :: stage[B] != PROPOSING fi;
		at_rest()
	}
	od
}

/* Updates from q to n, of any age: n comes to know a version of q that there was, if it is newer. */
#ifdef UPDATES
proctype updates(byte n, q) {
	end: do
	:: atomic { known[n * 3 + q] < version[q] -> known[n * 3 + q]++; at_rest() }
	od
}
#endif

#endif

/* ==== Both: who does what, when ==== */

inline deliver(l, i, r) {
	if
	:: (propose & SLOT(l, i, r)) -> receive(propose, SLOT(l, i, r)); on_propose(l, i, r)
	:: (yes & SLOT(l, i, r)) -> receive(yes, SLOT(l, i, r)); on_answer(l, i, r, true)
	:: (no & SLOT(l, i, r)) -> receive(no, SLOT(l, i, r)); on_answer(l, i, r, false)
	:: (noop & SLOT(l, i, r)) && MAY_COMMIT(l, i, r) -> receive(noop, SLOT(l, i, r)); on_commit(l, i, r, false)
	:: (change & SLOT(l, i, r)) && MAY_COMMIT(l, i, r) -> receive(change, SLOT(l, i, r)); on_commit(l, i, r, true)
	:: (ack & SLOT(l, i, r)) -> receive(ack, SLOT(l, i, r)); on_ack(l, i, r)
	:: (release & SLOT(l, i, r)) -> receive(release, SLOT(l, i, r)); on_release(l, i, r)
	fi
}

inline lose(m, slot) { drops > 0 && (m & slot); m = m & (255 - slot); drops-- }

/* What goes on between a proposer and a participant. */
proctype link(byte l, r) {
	end: do
	:: atomic { deliver(l, 1, r); at_rest() }
#if ROUNDS > 1
	:: atomic { deliver(l, 2, r); at_rest() }
#endif
#if DROPS > 0
	:: atomic { lose(propose, SLOT(l, 1, r)); at_rest() }
	:: atomic { lose(yes, SLOT(l, 1, r)); at_rest() }
	:: atomic { lose(no, SLOT(l, 1, r)); at_rest() }
	:: atomic { lose(noop, SLOT(l, 1, r)); at_rest() }
	:: atomic { lose(change, SLOT(l, 1, r)); at_rest() }
	:: atomic { lose(ack, SLOT(l, 1, r)); at_rest() }
	:: atomic { lose(release, SLOT(l, 1, r)); at_rest() }
#endif
	od
}

proctype proposer(byte l) {
	end: do
	:: atomic { request(l) }
	od
}

init {
	atomic {
		run proposer(A); run timers(A);
		run link(A, B); run link(A, R);
#ifndef SOLO
		run proposer(B); run timers(B);
		run link(B, A); run link(B, R);
#endif
#ifdef UPDATES
		run updates(A, R); run updates(A, B); run updates(B, R); run updates(B, A); run updates(R, A); run updates(R, B)
#endif
	}
}
