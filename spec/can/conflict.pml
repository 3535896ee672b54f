/* Left out: crashes, takeovers, orphaned promises, epochs, superseded neighbours, reclaim, leaves.
 *
 * Rounds of CAN conflict detection, by the corrected protocol (package protocol/can) or as published.
 *
 * A change moves the border between its proposer and a direct neighbour, the taker. Zones are reduced to
 * their versions: a node's version counts the changes of its zone. The nodes stand in a row:
 *
 *   ROW=2            A B      both propose; each is the other's taker
 *   ROW=3            A R B    A and B propose; R takes; all are within two steps of each other (the default)
 *   ROW=4            A R S B  A and B propose, three steps from each other; R takes for A, S for B
 *   ROW=4 and JOIN   A's change is a split for a joiner J between A and R
 *
 * The network is a set of messages: any of them may come next, or never. With DUPS, so many deliveries
 * leave the message where it is; with DROPS, so many messages of first rounds are lost.
 *
 *   PRINTED          Algorithms 4 to 9 of Jackson (2015) by the letter (published.pml); else the corrected rounds
 *   WATCH=property   only this property is asserted; else all
 *   ROUNDS=1 or 2    rounds that A may begin (2)
 *   ROUNDS_B=…       rounds that B may begin (as many)
 *   EARLY=…          so many rounds of each may time out while answers are in flight (2)
 *   UPDATES          updates about zones may arrive at any time, in addition to those of rounds
 *   SOLO             only A proposes, EARLY is 0 by default: every other round must be granted
 *   SERIAL           a round begins only when quiescent, EARLY is 0: of two rounds in a row one must be granted
 *   BOTH             instead of the properties: no run in which a change of A and one of B take effect
 *
 * A clause is a guard with a name, which stands in a comment as "@name" on its line. For each clause
 * mutants.txt has at least one mutant that lacks it, and says which property of which configuration fails.
 */

#define A 0
#define B 1
#define R 2
#define S 3
#define J 4

#define NoConflict     1
#define NoOverlap      2
#define CancelledStays 3
#define ViewsAgree     4
#define NobodyBusy     5
#define Granted        6
#define ViewsFit       7
#define JoinerKnows    8
#define OwnerFirst     9

#ifndef ROW
#define ROW 3
#endif
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
#ifndef EARLY
#if defined(SOLO) || defined(SERIAL)
#define EARLY 0
#else
#define EARLY 2
#endif
#endif
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

/* ---- Who is who ---- */

#define BIT(n) (1 << (n))

#if ROW == 2
#define NODES 3
#define NEXT(l) (1 - (l)) /* the direct neighbour */
#define FAR(l)  7         /* the participant two steps away: nobody */
#define ALL(l)  BIT(1 - (l))
#elif ROW == 3
#define NODES 3
#define NEXT(l) R
#define FAR(l)  (1 - (l))
#define ALL(l)  (BIT(1 - (l)) | BIT(R))
#else
#define NODES 5
#define NEXT(l) (l == A -> R : S)
#define FAR(l)  (l == A -> S : R)
#ifdef JOIN
#define ALL(l)  (BIT(R) | BIT(S) | (l == A -> BIT(J) : 0))
#else
#define ALL(l)  (BIT(R) | BIT(S))
#endif
#endif

#ifdef JOIN
#define TAKER(l) (l == A -> J : S)
#else
#define TAKER(l) NEXT(l)
#endif

/* ---- The network ---- */

/* Each kind of message is a set of slots: (proposer, round, participant). */
#define PLACE(l, i, r) ((l) * 6 + (i) * 3 - 3 + (r == J -> 2 : (r == NEXT(l) -> 1 : 0)))
#define SLOT(l, i, r)  BIT(PLACE(l, i, r))
#define INDEX(l, i)    ((l) * 2 + (i) - 1)

#define IN(set, n) (((set) >> (n)) & 1)
#define SLOTS(l, i, set) ((IN(set, FAR(l)) + 2 * IN(set, NEXT(l)) + 4 * IN(set, J)) << ((l) * 6 + (i) * 3 - 3))

short propose, yes, no, noop, change, ack, release; /* yes and no are ProposeOK; noop and change are Commit */
byte dups = DUPS, drops = DROPS;

#define QUIET (!(propose | yes | no | noop | change | ack | release))

inline send(m, slots)   { m = m | (slots) }
inline receive(m, slot) { if :: m = m & (4095 - slot) :: dups > 0 -> dups-- fi }

#ifdef ORDERED
#define MAY_COMMIT(l, i, r) (!(propose & SLOT(l, i, r)))
#else
#define MAY_COMMIT(l, i, r) true
#endif

/* ---- What the properties remember ---- */

bit open[2], overlapped[2];       /* rounds between request and decision; one in conflict took effect */
byte cancelled, done;             /* bits by INDEX: somebody executed the round as NO-OP, as a change */

#define DONE(l, i) IN(done, INDEX(l, i))

inline note_request(l) { open[l] = 1; overlapped[l] = 0 }

inline note_decide(l, changed) {
	if
	:: changed -> CLAIM(NoConflict, !overlapped[l]); overlapped[1 - l] = open[1 - l] && ROW < 4
	:: else
	fi;
	open[l] = 0; overlapped[l] = 0
}

inline note_execute(l, i, changed) {
	if
	:: changed -> done = done | BIT(INDEX(l, i))
	:: else -> cancelled = cancelled | BIT(INDEX(l, i))
	fi;
	CLAIM(CancelledStays, !(DONE(l, i) && IN(cancelled, INDEX(l, i))));
#ifdef BOTH
	assert(!((done & 3) && (done & 12)))
#endif
}

#ifdef PRINTED
#include "published.pml"
#else

/* ==== The corrected protocol: package protocol/can ==== */

#define STABLE 0
#define PROPOSING 1
#define GRANTING 2
#define COMMITTING 3

byte round[2], stage[2];
byte waiting[2], later[2];              /* sets of participants, as in type Change */
byte promised[NODES];                   /* 1 + the proposer, or 0 */
byte promised_round[NODES];
byte version[NODES] = 1;
byte known[NODES * NODES] = 1;          /* the version of q as n knows it, at n * NODES + q */
byte seen[12];                          /* by PLACE: the version that a Propose carries, and then the Commit */
byte told[12];                          /* by PLACE: the version that a NO carries */
byte new_l[4], new_t[4];                /* by INDEX: the records in a Commit, of l and of the taker */

#define HAS_ROUND(n) (n <= B && stage[n] != STABLE)
#define IS_BUSY(n)   (HAS_ROUND(n) || promised[n])
#if ROW == 2
#define ANYBODY_BUSY (IS_BUSY(A) || IS_BUSY(B))
#elif ROW == 3
#define ANYBODY_BUSY (IS_BUSY(A) || IS_BUSY(B) || promised[R])
#else
#define ANYBODY_BUSY (IS_BUSY(A) || IS_BUSY(B) || promised[R] || promised[S] || promised[J])
#endif

#define KNOWN(n, q) known[(n) * NODES + (q)]
#define KNOWS(n, q) (KNOWN(n, q) == version[q])
#define BOTH_KNOW(n, q) (KNOWS(n, q) && KNOWS(q, n))

/* In a row of four a node may change a zone three steps away from a third, which only an update can tell. */
#if ROW == 2
#define ALL_KNOW BOTH_KNOW(A, B)
#elif ROW == 3
#define ALL_KNOW (BOTH_KNOW(A, B) && BOTH_KNOW(A, R) && BOTH_KNOW(R, B))
#else
#define ROW_KNOWS (BOTH_KNOW(A, R) && BOTH_KNOW(R, S) && BOTH_KNOW(S, B) && KNOWS(R, B) && KNOWS(S, A))
#ifdef JOIN
#define ALL_KNOW (ROW_KNOWS && BOTH_KNOW(A, J) && KNOWS(R, J) && KNOWS(S, J))
#else
#define ALL_KNOW ROW_KNOWS
#endif
#endif

/* A busy node has a timer pending, so no quiescent node is busy: what is to be shown is that every run ends,
 * and that timers only help against losses, but for the propose timer. */
inline at_rest() {
	if
	:: QUIET && !ANYBODY_BUSY ->
		CLAIM(ViewsAgree, ALL_KNOW);
#ifdef SOLO
		CLAIM(Granted, (round[A] <= EARLY || DONE(A, round[A])));
#endif
#ifdef SERIAL
		CLAIM(Granted, ((round[A] < 2 || (done & 3)) && (round[B] < 2 || (done & 12))));
#endif
#if DROPS == 0 && DUPS == 0
	:: QUIET && ANYBODY_BUSY -> /* what was neither lost nor repeated need not be resent */
		CLAIM(NobodyBusy, (stage[A] == PROPOSING || stage[B] == PROPOSING))
#endif
	:: else
	fi
}

/* A node's zone changes by a granted round: the change must build on the zone that the node has. */
inline adopt(n, v) { CLAIM(NoOverlap, v == version[n] + 1); version[n] = v }

inline learn(n, q, v) {
	if
	:: KNOWN(n, q) < v /* @learn-newer */ -> KNOWN(n, q) = v
	:: else
	fi
}

/* ---- The proposer ---- */

#if defined(SERIAL)
#define MAY_BEGIN(l) (round[l] < LIMIT(l) && QUIET && !ANYBODY_BUSY)
#elif defined(JOIN)
#define MAY_BEGIN(l) (round[l] < LIMIT(l) && !(l == A && (done & 3))) /* one joiner */
#else
#define MAY_BEGIN(l) (round[l] < LIMIT(l))
#endif

inline see(l, r) { seen[PLACE(l, round[l], r)] = KNOWN(l, r) }

inline request(l) {
	(MAY_BEGIN(l)
	&& !HAS_ROUND(l) /* @request-in-round */
	&& !promised[l]  /* @request-promised */
	);
	round[l]++;
	stage[l] = PROPOSING;
	waiting[l] = ALL(l); /* @ask-all */
	new_l[INDEX(l, round[l])] = version[l] + 1;
	new_t[INDEX(l, round[l])] = KNOWN(l, TAKER(l)) + 1;
	see(l, NEXT(l));
#if ROW > 2
	see(l, FAR(l));
#endif
#ifdef JOIN
	if :: l == A -> see(l, J) :: else fi;
#endif
	send(propose, SLOTS(l, round[l], waiting[l]));
	note_request(l)
}

#define COUNTS(l, i, r) (true \
	&& i == round[l]          /* @count-round */ \
	&& stage[l] == PROPOSING  /* @count-open */ \
	&& IN(waiting[l], r)      /* @count-once */ )

/* The outcome is open, or a grant is on its way to R. Of a cancelled round nothing is to come that R needs. */
#define CONCERNED(l, i, r) (true \
	&& i == round[l]                         /* @concerned-round */ \
	&& (stage[l] == PROPOSING || DONE(l, i)) /* @concerned-cancelled */ \
	&& IN(waiting[l] | later[l], r)          /* @concerned-missing */ )

inline on_answer(l, i, r, answer) {
	if
	:: !answer -> /* a NO corrects the proposer's view, whatever it is the answer to */
		learn(l, r, told[PLACE(l, i, r)]); /* @no-mends */
		if :: (no & SLOT(l, i, r)) :: else -> told[PLACE(l, i, r)] = 0 fi
	:: else
	fi;
	if
	:: answer /* @yes-is-yes */ && COUNTS(l, i, r) ->
		waiting[l] = waiting[l] & (31 - BIT(r)); later[l] = later[l] | BIT(r);
		if
		:: waiting[l] == 0 /* @count-all */ -> commit_phase(l, true)
		:: else
		fi
	:: !answer && COUNTS(l, i, r) -> commit_phase(l, false)
	:: answer && !COUNTS(l, i, r) && !CONCERNED(l, i, r) -> send(release, SLOT(l, i, r)) /* @release-void */
	:: else
	fi
}

#define UNDECIDED(l) (stage[l] == PROPOSING) /* @time-out-open */

inline time_out(l) { if :: UNDECIDED(l) -> commit_phase(l, false) :: else fi }

#define BACKED(l, r) (promised[r] == l + 1 && promised_round[r] == round[l] && \
	seen[PLACE(l, round[l], r)] == version[r])

inline commit_phase(l, changed) {
	note_decide(l, changed);
	note_execute(l, round[l], changed);
	if
	:: changed -> /* the taker is notified first */
		CLAIM(ViewsFit, BACKED(l, NEXT(l)));
#if ROW > 2
		CLAIM(ViewsFit, BACKED(l, FAR(l)));
#endif
		stage[l] = GRANTING;
		waiting[l] = BIT(TAKER(l)); /* @taker-first */
		later[l] = ALL(l) - waiting[l];
		adopt(l, new_l[INDEX(l, round[l])]);
		learn(l, TAKER(l), new_t[INDEX(l, round[l])])
	:: else ->
		stage[l] = COMMITTING;
		waiting[l] = ALL(l); later[l] = 0
	fi;
	send_commit(l)
}

inline send_commit(l) {
	if
	:: DONE(l, round[l]) /* @commit-as-decided */ -> send(change, SLOTS(l, round[l], waiting[l]))
	:: else -> send(noop, SLOTS(l, round[l], waiting[l]))
	fi
}

inline on_ack(l, i, r) {
	if
	:: (true
	&& i == round[l]          /* @ack-round */
	&& stage[l] >= GRANTING   /* @ack-decided */
	) ->
		waiting[l] = waiting[l] & (31 - BIT(r)); later[l] = later[l] & (31 - BIT(r));
		if
		:: waiting[l] == 0 /* @proceed-acknowledged */ && later[l] && stage[l] == GRANTING ->
			stage[l] = COMMITTING; waiting[l] = later[l]; later[l] = 0;
			send_commit(l)
		:: else
		fi;
		if
		:: (waiting[l] | later[l]) == 0 /* @end-acknowledged */ -> stage[l] = STABLE; waiting[l] = 0; later[l] = 0
		:: else
		fi
	:: else
	fi
}

/* ---- The participant ---- */

#define STALE(l, i, r) (seen[PLACE(l, i, r)] != version[r])

inline forget(r) { promised[r] = 0; promised_round[r] = 0 }

inline on_propose(l, i, r) {
	if
	:: promised[r] == l + 1 && i == promised_round[r] -> send(yes, SLOT(l, i, r)) /* @yes-again */
	:: promised[r] == l + 1 && i < promised_round[r] /* @ignore-older */
	:: else ->
		if
		:: promised[r] == l + 1 /* @newer-releases */ -> forget(r)
		:: else
		fi;
		if
		:: (false
		|| HAS_ROUND(r)   /* @refuse-in-round */
		|| promised[r]    /* @refuse-promised */
		|| STALE(l, i, r) /* @refuse-stale */
		) -> told[PLACE(l, i, r)] = version[r]; send(no, SLOT(l, i, r))
		:: else -> promised[r] = l + 1; promised_round[r] = i; send(yes, SLOT(l, i, r))
		fi
	fi
}

inline on_commit(l, i, r, changed) {
	if
	:: (true
	&& promised[r] == l + 1   /* @execute-proposer */
	&& promised_round[r] == i /* @execute-round */
	) ->
		forget(r); /* @execute-once */
		note_execute(l, i, changed);
		if
		:: changed -> execute(l, i, r)
		:: else
		fi
	:: else
	fi;
	send(ack, SLOT(l, i, r)) /* @ack-every-copy */
}

inline execute(l, i, r) {
	learn(r, l, new_l[INDEX(l, i)]); /* @commit-tells-proposer */
	if
	:: r == TAKER(l) -> adopt(r, new_t[INDEX(l, i)])
	:: else ->
		CLAIM(OwnerFirst, version[TAKER(l)] >= new_t[INDEX(l, i)]);
		learn(r, TAKER(l), new_t[INDEX(l, i)]) /* @commit-tells-taker */
	fi;
#ifdef JOIN
	if
	:: r == J -> /* it knows only what the Commit tells it */
		KNOWN(J, R) = seen[PLACE(l, i, R)];
		KNOWN(J, S) = seen[PLACE(l, i, S)];
		CLAIM(JoinerKnows, KNOWS(J, A) && KNOWS(J, R) && KNOWS(J, S))
	:: else
	fi
#endif
}

inline on_release(l, i, r) {
	if
	:: (true
	&& promised[r] == l + 1   /* @release-proposer */
	&& promised_round[r] == i /* @release-round */
	) -> forget(r) /* @release-forgets */
	:: else
	fi
}

/* ---- Timers ---- */

/* What the resend timer of a proposer repeats, and that of a node that holds a promise. */
inline resend_commit(l) {
	if
	:: stage[l] >= GRANTING -> send_commit(l) /* @resend-commit */
	:: else
	fi
}

inline resend_yes(r) {
	if
	:: promised[r] -> send(yes, SLOT(promised[r] - 1, promised_round[r], r)) /* @resend-yes */
	:: else
	fi
}

/* The propose timer may run out at any time: messages may be slow. When nothing is in flight any more, all
 * timers do. */
proctype timers(byte l) {
	end: do
#if EARLY > 0
	:: atomic { UNDECIDED(l) && round[l] <= EARLY -> commit_phase(l, false); at_rest() }
#endif
	:: atomic {
		l == A && QUIET && ANYBODY_BUSY ->
		time_out(A); time_out(B);
		resend_commit(A); resend_commit(B);
		resend_yes(A); resend_yes(B);
#if ROW > 2
		resend_yes(R);
#endif
#if ROW > 3
		resend_yes(S); resend_yes(J);
#endif
		at_rest()
	}
	od
}

/* Updates from q to n, of any age: n comes to know a version of q that there was, if it is newer. */
#ifdef UPDATES
proctype updates(byte n, q) {
	end: do
	:: atomic { KNOWN(n, q) < version[q] -> KNOWN(n, q)++; at_rest() }
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

inline lose(m, slot) { drops > 0 && (m & slot); m = m & (4095 - slot); drops-- }

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
		run link(A, NEXT(A));
#if ROW > 2
		run link(A, FAR(A));
#endif
#ifdef JOIN
		run link(A, J);
#endif
#ifndef SOLO
		run proposer(B); run timers(B);
		run link(B, NEXT(B));
#if ROW > 2
		run link(B, FAR(B));
#endif
#endif
#ifdef UPDATES
		run updates(A, NEXT(A)); run updates(B, NEXT(B));
#if ROW > 2
		run updates(A, FAR(A)); run updates(B, FAR(B)); run updates(NEXT(A), A); run updates(NEXT(B), B);
#endif
#endif
	}
}
