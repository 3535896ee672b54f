/* Dining philosophers: the twin of examples/philosophers.
 *
 *   N=2 to 8   philosophers (3)
 *   RULE=0     left fork first (default); 1: in the order of the forks; 2: from hand to hand
 *
 * A step that changes nothing stands for who goes on thinking: SPIN's fairness is one of processes, and
 * nobody has to become hungry.
 */
#ifndef N
#define N 3
#endif
#ifndef RULE
#define RULE 0
#endif

#define Thinking 0
#define Hungry   1
#define Waiting  2
#define Eating   3

byte mood[N];
byte used[N];   /* rules 0 and 1 */
byte right[N];  /* rule 2: the fork is held by the one whose right fork it is; */
byte clean[N];

#define LEFT   me
#define RIGHT  ((me + 1) % N)
#define BEFORE ((me + N - 1) % N)
#if RULE == 1
#define FIRST  (me == N - 1 -> RIGHT : LEFT)
#define SECOND (me == N - 1 -> LEFT : RIGHT)
#else
#define FIRST  LEFT
#define SECOND RIGHT
#endif

#define EXCLUSION assert(mood[BEFORE] != Eating && mood[RIGHT] != Eating)

init {
	byte me;
	atomic {
#if RULE == 2
		me = 1;
		do
		:: me < N -> right[me] = 1; me++
		:: else -> break
		od;
#endif
		me = 0;
		do
		:: me < N -> run philosopher(me); me++
		:: else -> me = 0; break
		od
	}
}

proctype philosopher(byte me) {
	do
	:: d_step { mood[me] == Thinking -> mood[me] = Hungry }
#ifdef LIVENESS
	:: d_step { mood[me] == Thinking -> skip }
#endif
#if RULE < 2
	:: d_step { mood[me] == Hungry && !used[FIRST] -> used[FIRST] = 1; mood[me] = Waiting }
	:: d_step { mood[me] == Waiting && !used[SECOND] -> used[SECOND] = 1; mood[me] = Eating; EXCLUSION }
	:: d_step { mood[me] == Eating -> used[FIRST] = 0; used[SECOND] = 0; mood[me] = Thinking }
#else
	:: d_step { mood[me] == Hungry && right[LEFT] && !clean[LEFT] && mood[BEFORE] != Eating ->
		right[LEFT] = 0; clean[LEFT] = 1 }
	:: d_step { mood[me] == Hungry && !right[RIGHT] && !clean[RIGHT] && mood[RIGHT] != Eating ->
		right[RIGHT] = 1; clean[RIGHT] = 1 }
	:: d_step { mood[me] == Hungry && !right[LEFT] && right[RIGHT] -> mood[me] = Eating; EXCLUSION }
	:: d_step { mood[me] == Eating ->
		mood[me] = Thinking;
		clean[LEFT] = (mood[BEFORE] == Hungry); right[LEFT] = clean[LEFT];
		clean[RIGHT] = (mood[RIGHT] == Hungry); right[RIGHT] = !clean[RIGHT] }
#endif
	od
}

#ifdef LIVENESS
ltl Eats0 { [] (mood[0] == Hungry -> <> (mood[0] == Eating)) }
#endif
