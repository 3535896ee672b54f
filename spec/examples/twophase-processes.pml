/* Two-phase commit of Gray and Lamport in the usual style of Promela: a process for each participant, a variable for
 * each fact. It has the same states as examples/twophase and twophase.pml, of which that is written for speed.
 *
 *   N=1 to 12   resource managers (3)
 *   BROKEN      the transaction manager commits when all but one are prepared
 *
 * Each step is one transition. All processes are there from the first state on.
 */
#ifndef N
#define N 3
#endif

mtype = { working, prepared, committed, aborted }

mtype manager[N] = working;
bool sent[N];    /* the message Prepared */
bool known[N];   /* and received by the transaction manager */
bool commit;     /* its message, and its state */
bool abort;

hidden byte i, commits, aborts;

inline consistent() {
	i = 0; commits = 0; aborts = 0;
	do
	:: i < N ->
		if
		:: manager[i] == committed -> commits = 1
		:: manager[i] == aborted -> aborts = 1
		:: else
		fi;
		i++
	:: else -> break
	od;
	assert(!(commits && aborts))
}

active [N] proctype participant() {
	do
	:: d_step { manager[_pid] == working -> manager[_pid] = prepared; sent[_pid] = true }
	:: d_step { manager[_pid] == working -> manager[_pid] = aborted; consistent() }
	:: d_step { commit -> manager[_pid] = committed; consistent() }
	:: d_step { abort -> manager[_pid] = aborted; consistent() }
	od
}

#ifdef BROKEN
#define KNOWS0 true
#else
#define KNOWS0 known[0]
#endif
#if N > 1
#define KNOWS1 && known[1]
#else
#define KNOWS1
#endif
#if N > 2
#define KNOWS2 && known[2]
#else
#define KNOWS2
#endif
#if N > 3
#define KNOWS3 && known[3]
#else
#define KNOWS3
#endif
#if N > 4
#define KNOWS4 && known[4]
#else
#define KNOWS4
#endif
#if N > 5
#define KNOWS5 && known[5]
#else
#define KNOWS5
#endif
#if N > 6
#define KNOWS6 && known[6]
#else
#define KNOWS6
#endif
#if N > 7
#define KNOWS7 && known[7]
#else
#define KNOWS7
#endif
#if N > 8
#define KNOWS8 && known[8]
#else
#define KNOWS8
#endif
#if N > 9
#define KNOWS9 && known[9]
#else
#define KNOWS9
#endif
#if N > 10
#define KNOWS10 && known[10]
#else
#define KNOWS10
#endif
#if N > 11
#define KNOWS11 && known[11]
#else
#define KNOWS11
#endif
#define EVERYBODY KNOWS0 KNOWS1 KNOWS2 KNOWS3 KNOWS4 KNOWS5 KNOWS6 KNOWS7 KNOWS8 KNOWS9 KNOWS10 KNOWS11

#define HEAR(m) :: d_step { !commit && !abort && sent[m] -> known[m] = true }

active proctype coordinator() {
	do
	:: d_step { !commit && !abort && EVERYBODY -> commit = true }
	:: d_step { !commit && !abort -> abort = true }
	HEAR(0)
#if N > 1
	HEAR(1)
#endif
#if N > 2
	HEAR(2)
#endif
#if N > 3
	HEAR(3)
#endif
#if N > 4
	HEAR(4)
#endif
#if N > 5
	HEAR(5)
#endif
#if N > 6
	HEAR(6)
#endif
#if N > 7
	HEAR(7)
#endif
#if N > 8
	HEAR(8)
#endif
#if N > 9
	HEAR(9)
#endif
#if N > 10
	HEAR(10)
#endif
#if N > 11
	HEAR(11)
#endif
	od
}
