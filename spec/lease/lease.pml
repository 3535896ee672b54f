/* Left out: views and contacts, reasons of refusals, nonces, witnesses that are behind, limits of lists.
 *
 * Leases from three witnesses, death certificates and the founding of generations, from the description in
 * docs/protocols/lease.md. D and E are addresses of holders; D may have a second life.
 *
 * The network is a set of messages that never shrinks: each may arrive at any later time, again and again, or
 * never. So nothing need be resent, rounds need no numbers, and there is no bound on rounds, drops, duplicates,
 * delays, restarts of witnesses, questions or time. Only addresses, lives and generations are bounded. Answers
 * of a majority are counted in one step, since fewer have no effect.
 *
 * Time passes in ticks. A timer that is set to n ticks of its own clock fires between n - DRIFT and n + DRIFT
 * ticks of true time. So a lease expires EXPIRE + DRIFT ticks after its round began at the latest, and a grant
 * ends GRANT - DRIFT ticks after Renew arrived at the earliest. A holder may lose its lease at any earlier time,
 * whatever the reason, and a witness may end a grant at any later time.
 *
 *   WATCH=property   only this property is asserted; else all
 *   REACH=event      instead of the properties: in no run does this happen
 *   NODES=1 or 2     addresses: D, or D and E (1)
 *   LIVES=1 or 2     lives of D, if there is no E (1)
 *   GENS=1 to 3      generations (1)
 *   TRIES=1 or 2     a life renews in at most so many generations, one after the other (1)
 *   RESTARTS=0 to 3  so many of the witnesses may restart, as often as they like (0)
 *   DEATHS           nodes ask for lives
 *   REGRID           operators close generations
 *   BEGUN            the first generation is there from the beginning, and nobody founds another
 *   FREE             nodes join any generation at any time: founders and promises do not matter
 *   VOTES            generations are founded, and nobody renews in them
 *   MOURN            the life of D ends, all that it has sent is lost then, and so is witness 2
 *   EXPIRE, KILL, DRIFT=…  ticks (1 each)
 *
 * A clause is a guard with a name, which stands in a comment as "@name" on its line. For each clause
 * mutants.txt has at least one mutant that lacks it, and says which property of which configuration fails.
 */

#define NoFalseDeath  1
#define DeadStays     2
#define OneFounder    3
#define OneGeneration 4
#define Mourned       5
#define ClosedStays   6

#define Renewed      1 /* a lease is renewed */
#define Expired      2 /* a lease expires */
#define Certified    3 /* the death of a life that held a lease is certified */
#define Followed     4 /* a second life holds a lease, and the death of the first is certified */
#define Entered      5 /* a life has a lease in a generation that another founded */
#define FoundedAgain 6 /* a life has a lease in the second generation, after there was one in the first */

#ifndef WATCH
#define WATCH 0
#endif
#ifndef NODES
#define NODES 1
#endif
#ifndef LIVES
#define LIVES 1
#endif
#ifndef GENS
#define GENS 1
#endif
#ifndef TRIES
#define TRIES 1
#endif
#ifndef RESTARTS
#define RESTARTS 0
#endif

#ifdef REACH
bit first_leased;
#define CLAIM(property, holds) skip
#define REACHED(event, happens) assert(REACH != event || !(happens))
#define NOTE_LEASE(x) REACHED(FoundedAgain, first_leased && PRESENT(x) == 2); \
	first_leased = first_leased || PRESENT(x) == 1
#else
#define CLAIM(property, holds) assert(holds || (WATCH != 0 && WATCH != property))
#define REACHED(event, happens) skip
#define NOTE_LEASE(x) skip
#endif

/* ---- Time ---- */

#ifndef EXPIRE
#define EXPIRE 1
#endif
#ifndef KILL
#define KILL 1
#endif
#ifndef DRIFT
#define DRIFT 1
#endif

#define GRANT (EXPIRE       /* both sides of the inequality, with DRIFT on each */ \
	+ KILL      /* @grant-covers-kill */ \
	+ 2 * DRIFT /* @grant-covers-drift */ )

/* A holder counts down and acts within the tick in which its count ends. A witness counts down to 1: from then
 * on the grant may end. 0 stands for no timer. */
#define HOLDER_TICKS  (EXPIRE + DRIFT)
#define WITNESS_TICKS (GRANT - DRIFT + 1)

/* ---- Lives ---- */

#define BIT(n) (1 << (n))
#define IN(set, n) (((set) >> (n)) & 1)
#define MAJORITY(set) ((set) == 3 || (set) >= 5) /* of three witnesses */

/* Life 0 is the first of D. Life 1 is the second of D, or with two addresses that of E. */
#define ALL (NODES + LIVES - 1)
#if NODES == 1
#define ADDRESS(x) 0
#define NUMBER(x)  ((x) + 1)
#else
#define ADDRESS(x) (x)
#define NUMBER(x)  1
#endif
#define AT(w, a)   ((w) * NODES + (a))

#define OUT 0     /* it has not begun */
#define LOOKING 1 /* it has no lease */
#define JOINING 2 /* it asks for its first grants */
#define LEASED 3
#define DYING 4   /* it has lost its lease, and its processes are being killed */
#define GONE 5

byte phase[ALL];
byte expiry[ALL];  /* of the last round that was granted */
byte next[ALL];    /* of the open round; of a dying life: when it is gone */
byte answers[ALL]; /* witnesses whose grants of the open round are in the network */
byte try[ALL];     /* the last try: in so many generations the life has renewed */
byte tries[ALL * (TRIES + 1)]; /* in which ones */

#define TRIED(x, t) tries[(x) * (TRIES + 1) + (t)]
#define PRESENT(x)  TRIED(x, try[x])
#define ACTS(x)     (phase[x] == LEASED || phase[x] == DYING)
#define WAITS(x)    (phase[x] == JOINING || phase[x] == LEASED && next[x])

/* ---- Witnesses ---- */

byte entered[3];             /* the generation in which a witness grants */
byte closed[3];              /* the last generation that it closed */
#ifdef REGRID
byte shut[3];                /* the same, whatever the witness remembers */
#endif
byte promised[3];            /* the last generation that a witness promised */
byte granted[3 * NODES];     /* the last life at an address that was granted */
byte condemned[3 * NODES];   /* the last life at an address that was condemned */
byte grant[3 * NODES];       /* ticks of the grant to an address */
byte granted_try[3 * NODES]; /* and the try of the life that it was for */
byte grace[3];               /* ticks of the grace after a restart */

#if NODES == 1
#define VACANT(w)           (!grant[AT(w, 0)])
#define VACANT_BUT(w, a)    true
#else
#define VACANT(w)           (!grant[AT(w, 0)] && !grant[AT(w, 1)])
#define VACANT_BUT(w, a)    (!grant[AT(w, 1 - (a))])
#endif

/* ---- What is in the network, or decided ---- */

byte promises[ALL * (GENS + 1)]; /* witnesses that promised a generation to a life */
byte said[ALL];                  /* witnesses that said that a life is over */
byte founder[GENS + 1];          /* 1 + the life that founds a generation */

#define PROMISES(x, g) promises[(x) * (GENS + 1) + (g)]
#define CERTIFIED(x)   MAJORITY(said[x]) /* @certify-majority */

#define GONE_FIRST(x)  (!ACTS(x) || !CERTIFIED(x))
#define AGREE(x, y)    (!ACTS(x) || !ACTS(y) || PRESENT(x) == PRESENT(y))

inline check() {
	CLAIM(NoFalseDeath, GONE_FIRST(0));
#if ALL > 1
	CLAIM(NoFalseDeath, GONE_FIRST(1));
	CLAIM(OneGeneration, AGREE(0, 1));
	REACHED(Followed, phase[1] == LEASED && CERTIFIED(0));
#endif
	REACHED(Certified, CERTIFIED(0) && first_leased)
}

/* ==== A life ==== */

inline open_round(x) { next[x] = HOLDER_TICKS }

inline stop(x) { expiry[x] = 0; next[x] = 0; answers[x] = 0 }

inline give_up(x) { stop(x); phase[x] = LOOKING }

inline end_life(x) { stop(x); phase[x] = GONE }

inline fence(x) {
	stop(x);
	phase[x] = (KILL -> DYING : GONE);
	next[x] = KILL
}

/* Nodes ask for a promise of any generation, at any time: each such Found is in the network. */
inline found(x, g) {
	CLAIM(OneFounder, (founder[g] == 0 || founder[g] == x + 1));
	founder[g] = x + 1;
#ifndef VOTES
	join(x, g)
#endif
}

inline join(x, g) {
	if
	:: PRESENT(x) != g -> try[x]++; PRESENT(x) = g
	:: else
	fi;
	phase[x] = JOINING;
	open_round(x)
}

/* A majority has granted the open round: its expiry takes the place of the former one. */
inline settle(x) {
	REACHED(Renewed, phase[x] == LEASED);
	REACHED(Entered, founder[PRESENT(x)] != x + 1);
	expiry[x] = next[x]; /* @count-from-sending */
	next[x] = 0;
	answers[x] = 0; /* @count-present-round */
	phase[x] = LEASED;
	NOTE_LEASE(x);
	check()
}

inline renew(x) {
	skip; /* @keep-former-expiry */
	open_round(x)
}

#ifdef VOTES
#define MAY_JOIN(x, g) (phase[x] == LOOKING)
#else
#define MAY_JOIN(x, g) (phase[x] == LOOKING && (PRESENT(x) == g || try[x] < TRIES))
#endif

#ifdef FREE
#define EXISTS(g) true
#else
#define EXISTS(g) founder[g]
#endif

#define FOUND(x, g) MAY_JOIN(x, g) && MAJORITY(PROMISES(x, g)) /* @found-majority */ -> found(x, g)
#define ENTER(x, g) MAY_JOIN(x, g) && EXISTS(g) -> join(x, g)

proctype life(byte x) {
	end: do
#if LIVES > 1
	:: d_step { phase[x] == OUT && phase[0] == GONE /* @begin-after-end */ -> phase[x] = LOOKING }
#endif
	:: d_step { FOUND(x, 1) }
#if GENS > 1
	:: d_step { FOUND(x, 2) }
#endif
#if GENS > 2
	:: d_step { FOUND(x, 3) }
#endif
#ifndef VOTES
	:: d_step { ENTER(x, 1) }
#if GENS > 1
	:: d_step { ENTER(x, 2) }
#endif
#if GENS > 2
	:: d_step { ENTER(x, 3) }
#endif
#endif
	:: d_step { WAITS(x) -> skip /* @resend-changes-nothing */ }
	:: d_step { WAITS(x) && MAJORITY(answers[x]) /* @settle-majority */ -> settle(x) }
	:: d_step { phase[x] == LEASED && !next[x] -> renew(x) }
	:: d_step { phase[x] == JOINING -> give_up(x) }
	:: d_step { phase[x] == LEASED -> fence(x) }
	:: d_step { phase[x] != OUT && phase[x] != GONE -> end_life(x) } /* a crash, or the end of a dying life */
	od
}

/* ==== A witness ==== */

/* ---- Grants ---- */

#define HERE(w, g) (g == entered[w] \
	&& g > closed[w] /* @grant-unless-closed */ )

#define ENTERS(w, x, g) (true \
	&& g > closed[w]             /* @enter-unless-closed */ \
	&& VACANT_BUT(w, ADDRESS(x)) /* @enter-vacant */ \
	&& !grace[w]                 /* @enter-grace */ )

#if LIVES > 1
#define GRANTED_TO(w, x) (grant[AT(w, ADDRESS(x))] && granted[AT(w, ADDRESS(x))] == NUMBER(x))
#else
#define GRANTED_TO(w, x) grant[AT(w, ADDRESS(x))]
#endif

#ifdef REGRID
#define CLAIM_OPEN(w, g) CLAIM(ClosedStays, (g) > shut[w])
#define NOTE_SHUT(w) shut[w] = closed[w]
#else
#define CLAIM_OPEN(w, g) skip
#define NOTE_SHUT(w) skip
#endif

#define ACCEPTS(w, x, t) (true \
	&& NUMBER(x) >= granted[AT(w, ADDRESS(x))]                         /* @refuse-superseded */ \
	&& NUMBER(x) > condemned[AT(w, ADDRESS(x))]                        /* @refuse-condemned */ \
	&& !(GRANTED_TO(w, x) && t < granted_try[AT(w, ADDRESS(x))])       /* @ignore-older */ \
	&& (HERE(w, TRIED(x, t)) || ENTERS(w, x, TRIED(x, t))))

#ifdef MOURN
#define ARRIVES(x) (phase[x] != GONE)
#else
#define ARRIVES(x) true
#endif

inline give(w, x, t) {
	CLAIM(DeadStays, !IN(said[x], w));
	CLAIM_OPEN(w, TRIED(x, t));
	entered[w] = TRIED(x, t);
#if LIVES > 1
	granted[AT(w, ADDRESS(x))] = NUMBER(x); /* @grant-noted */
#endif
	granted_try[AT(w, ADDRESS(x))] = t;
	grant[AT(w, ADDRESS(x))] = WITNESS_TICKS; /* @grant-afresh */
	if
	:: t == try[x] && WAITS(x) -> answers[x] = answers[x] | BIT(w)
	:: else
	fi
}

#define RENEW(w, x, t) t <= try[x] && ARRIVES(x) && ACCEPTS(w, x, t) -> give(w, x, t)

inline lapse(w, a) { grant[AT(w, a)] = 0; granted_try[AT(w, a)] = 0 }

/* ---- Verdicts ---- */

#define OVER(w, x) (false \
	|| NUMBER(x) < granted[AT(w, ADDRESS(x))]    /* @over-superseded */ \
	|| NUMBER(x) <= condemned[AT(w, ADDRESS(x))] /* @over-condemned */ )

#define CONDEMNS(w, x) (true \
	&& !grant[AT(w, ADDRESS(x))] /* @condemn-ungranted */ \
	&& !grace[w]                 /* @condemn-grace */ )

inline say_over(w, x) { said[x] = said[x] | BIT(w); check() }

inline judge(w, x) {
	if
	:: OVER(w, x) -> say_over(w, x)
	:: !OVER(w, x) && CONDEMNS(w, x) ->
		condemned[AT(w, ADDRESS(x))] = NUMBER(x); /* @condemn-noted */
		say_over(w, x)
	:: else -> CLAIM(DeadStays, !IN(said[x], w))
	fi
}

#ifdef MOURN
#define ASKED(w, x) (phase[x] == GONE && w < 2 && !IN(said[x], w) && (OVER(w, x) || CONDEMNS(w, x)))
#else
#define ASKED(w, x) true
#endif

/* ---- Promises ---- */

#define PROMISE(w, x, g) phase[x] != OUT && !IN(PROMISES(x, g), w) \
	&& g > closed[w]           /* @promise-unless-closed */ \
	&& g > promised[w]         /* @promise-once */ \
	&& VACANT(w) && !grace[w]  /* @promise-vacant */ \
	-> CLAIM_OPEN(w, g); promised[w] = g; PROMISES(x, g) = PROMISES(x, g) | BIT(w)

#define FOLLOWING(w) ((entered[w] > promised[w] -> entered[w] : promised[w]) + 1)

inline regrid(w) { entered[w] = FOLLOWING(w); closed[w] = entered[w]; NOTE_SHUT(w) }

/* ---- Restarts ---- */

/* The generations, the promise, and the lives that were granted and condemned are on disk. */
inline restart(w) {
#ifndef VOTES /* in which it never grants */
	grace[w] = WITNESS_TICKS; /* @grace-after-restart */
#endif
	lapse(w, 0);
#if NODES > 1
	lapse(w, 1);
#endif
	skip; /* @keep-condemned */
	skip; /* @keep-granted */
	skip; /* @keep-promised */
	skip; /* @keep-closed */
	skip  /* @keep-entered */
}

#ifdef MOURN
#define RESTARTS_NOW(w) (w < RESTARTS && phase[0] != GONE)
#else
#define RESTARTS_NOW(w) (w < RESTARTS)
#endif

proctype witness(byte w) {
	end: do
#ifndef VOTES
	:: d_step { RENEW(w, 0, 1) }
#if TRIES > 1
	:: d_step { RENEW(w, 0, 2) }
#endif
#if ALL > 1
	:: d_step { RENEW(w, 1, 1) }
#endif
#if ALL > 1 && TRIES > 1
	:: d_step { RENEW(w, 1, 2) }
#endif
	:: d_step { grant[AT(w, 0)] == 1 -> lapse(w, 0) /* @grant-ends */ }
#if NODES > 1
	:: d_step { grant[AT(w, 1)] == 1 -> lapse(w, 1) }
#endif
#endif
#ifdef DEATHS
	:: d_step { ASKED(w, 0) -> judge(w, 0) }
#if ALL > 1
	:: d_step { ASKED(w, 1) -> judge(w, 1) }
#endif
#endif
#if !defined(BEGUN) && !defined(FREE)
	:: d_step { PROMISE(w, 0, 1) }
#if GENS > 1
	:: d_step { PROMISE(w, 0, 2) }
#endif
#if GENS > 2
	:: d_step { PROMISE(w, 0, 3) }
#endif
#if ALL > 1
	:: d_step { PROMISE(w, 1, 1) }
#endif
#if ALL > 1 && GENS > 1
	:: d_step { PROMISE(w, 1, 2) }
#endif
#if ALL > 1 && GENS > 2
	:: d_step { PROMISE(w, 1, 3) }
#endif
#endif
#ifdef REGRID
	:: d_step { FOLLOWING(w) <= GENS -> regrid(w) }
#endif
#if RESTARTS > 0
	:: d_step { RESTARTS_NOW(w) -> restart(w) }
	:: d_step { grace[w] == 1 -> grace[w] = 0 /* @grace-ends */ }
#endif
	od
}

/* ==== Time passes for all ==== */

inline count_down(count, least) { if :: count > least -> count-- :: else fi }

inline run_out(x) {
	if
	:: phase[x] == DYING -> end_life(x)
	:: phase[x] == JOINING -> give_up(x)
	:: phase[x] == LEASED -> REACHED(Expired, true); fence(x)
	fi
}

inline pass(x) {
	if
	:: next[x] == 1 || expiry[x] == 1 -> run_out(x)
	:: else -> count_down(next[x], 0); count_down(expiry[x], 0)
	fi
}

inline pass_at(w) {
	count_down(grant[AT(w, 0)], 1);
#if NODES > 1
	count_down(grant[AT(w, 1)], 1);
#endif
	count_down(grace[w], 1)
}

#ifdef MOURN
#define PENDING(w) (grant[w] > 1 || grace[w] > 1)
#define TICKS (phase[0] != GONE || PENDING(0) || PENDING(1) || PENDING(2))
#else
#define TICKS true
#endif

proctype clock() {
	end: do
	:: d_step {
		TICKS ->
		pass(0);
#if ALL > 1
		pass(1);
#endif
		pass_at(0); pass_at(1); pass_at(2)
	}
	od
}

#ifdef MOURN
/* Each step after the end of the life brings a timer or a verdict nearer to its end, so that there are finitely
 * many. When none is left, its death must be certified. */
proctype mourner() { atomic { timeout -> CLAIM(Mourned, CERTIFIED(0)) } }
#endif

init {
	atomic {
#ifdef BEGUN
		founder[1] = 255; /* somebody else */
		entered[0] = 1; entered[1] = 1; entered[2] = 1;
#endif
		phase[0] = LOOKING;
#if NODES > 1
		phase[1] = LOOKING;
#endif
		run life(0);
#if ALL > 1
		run life(1);
#endif
		run witness(0); run witness(1); run witness(2);
		run clock();
#ifdef MOURN
		run mourner()
#endif
	}
}
