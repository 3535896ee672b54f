/* Single-decree Paxos in the usual style of Promela: a process for each server and each client, a variable for each fact. It
 * has the same states as examples/paxos and paxos.pml, of which that is written for speed.
 *
 *   C=1 to 6   clients (2)
 *   FORGETFUL  a leader ignores the votes that it receives, and proposes its own value
 *
 * Client c writes at server c % 3 and reads at the next. A ballot is 4 * round + leader; a value is a client, from 1 on; 0 is
 * none of them. No message is ever in flight twice, and what would be ignored stays where it is.
 *
 * Each step is one transition. All processes are there from the first state on.
 */
#ifndef C
#define C 2
#endif

mtype = { writing, reading, done }

typedef Server {
	byte ballot;
	byte proposal;
	bool given[3];        /* who has promised, */
	byte lastBallot[3];   /* with which votes */
	byte lastValue[3];
	bool accepts[3];
	byte votedBallot;
	byte votedValue;
	bool decided
}

/* from a leader to another server, and back */
typedef Pair {
	byte prepare;
	byte prepared;        /* back, with the last vote */
	byte lastBallot;
	byte lastValue;
	byte accept;
	byte acceptValue;
	byte accepted;        /* back */
	byte decided;
	byte decidedValue
}

Server server[3];
Pair net[6];              /* 2 * leader, and 1 more for the second server after it */
mtype phase[C] = writing;
bool put[C] = true;
bool get[C];
bool putOk[3 * C];        /* C * server + client */
byte getOk[C];            /* the value */

hidden byte k, latest;

#define ME server[_pid]
#define PEER(d) ((_pid + d) % 3)
#define TO(d) net[2 * _pid + d - 1]
#define FROM(d) net[2 * PEER(d) + 2 - d]
#define AGREE(i, j) (!server[i].decided || !server[j].decided || server[i].votedValue == server[j].votedValue)
#define AGREEMENT assert(AGREE(0, 1) && AGREE(0, 2) && AGREE(1, 2))

inline forget() {
	k = 0;
	do
	:: k < 3 ->
		ME.given[k] = false; ME.accepts[k] = false;
		ME.lastBallot[k] = 0; ME.lastValue[k] = 0;
		k++
	:: else -> break
	od
}

/* choose proposes the value of the latest vote received, if there is one */
inline choose() {
#ifndef FORGETFUL
	k = 0; latest = 0;
	do
	:: k < 3 ->
		if
		:: ME.lastBallot[k] > latest -> latest = ME.lastBallot[k]; ME.proposal = ME.lastValue[k]
		:: else
		fi;
		k++
	:: else -> break
	od
#else
	skip
#endif
}

/* ACCEPTOR: the d-th server after this one leads */
#define ACCEPTOR(d) \
	:: d_step { FROM(d).prepare && !ME.decided && ME.ballot < FROM(d).prepare -> \
		ME.ballot = FROM(d).prepare; FROM(d).prepare = 0; \
		FROM(d).prepared = ME.ballot; \
		FROM(d).lastBallot = ME.votedBallot; FROM(d).lastValue = ME.votedValue } \
	:: d_step { FROM(d).accept && !ME.decided && ME.ballot <= FROM(d).accept -> \
		ME.ballot = FROM(d).accept; ME.votedBallot = ME.ballot; ME.votedValue = FROM(d).acceptValue; \
		FROM(d).accept = 0; FROM(d).acceptValue = 0; \
		FROM(d).accepted = ME.ballot } \
	:: d_step { FROM(d).decided && !ME.decided -> \
		ME.ballot = FROM(d).decided; ME.votedBallot = ME.ballot; ME.votedValue = FROM(d).decidedValue; \
		ME.decided = true; FROM(d).decided = 0; FROM(d).decidedValue = 0; \
		AGREEMENT }

/* LEADER: this one leads, the d-th server after it answers */
#define LEADER(d) \
	:: d_step { TO(d).prepared && !ME.decided && ME.ballot == TO(d).prepared -> \
		ME.given[PEER(d)] = true; \
		ME.lastBallot[PEER(d)] = TO(d).lastBallot; ME.lastValue[PEER(d)] = TO(d).lastValue; \
		TO(d).prepared = 0; TO(d).lastBallot = 0; TO(d).lastValue = 0; \
		if \
		:: ME.given[0] + ME.given[1] + ME.given[2] == 2 -> \
			choose(); \
			ME.votedBallot = ME.ballot; ME.votedValue = ME.proposal; ME.accepts[_pid] = true; \
			TO(1).accept = ME.ballot; TO(1).acceptValue = ME.proposal; \
			TO(2).accept = ME.ballot; TO(2).acceptValue = ME.proposal \
		:: else \
		fi } \
	:: d_step { TO(d).accepted && !ME.decided && ME.ballot == TO(d).accepted -> \
		TO(d).accepted = 0; ME.accepts[PEER(d)] = true; \
		if \
		:: ME.accepts[0] + ME.accepts[1] + ME.accepts[2] == 2 -> \
			ME.decided = true; AGREEMENT; \
			TO(1).decided = ME.ballot; TO(1).decidedValue = ME.proposal; \
			TO(2).decided = ME.ballot; TO(2).decidedValue = ME.proposal; \
			putOk[C * _pid + ME.proposal - 1] = true \
		:: else \
		fi }

#define PUT(c) \
	:: d_step { _pid == c % 3 && put[c] && !ME.decided && ME.proposal == 0 -> \
		put[c] = false; ME.proposal = c + 1; ME.ballot = (ME.ballot / 4 + 1) * 4 + _pid; \
		forget(); \
		ME.given[_pid] = true; ME.lastBallot[_pid] = ME.votedBallot; ME.lastValue[_pid] = ME.votedValue; \
		TO(1).prepare = ME.ballot; TO(2).prepare = ME.ballot }

#define GET(c) \
	:: d_step { _pid == (c + 1) % 3 && get[c] && ME.decided -> get[c] = false; getOk[c] = ME.votedValue }

active [3] proctype serve() {
end:	do
	ACCEPTOR(1) ACCEPTOR(2) LEADER(1) LEADER(2)
	PUT(0) GET(0)
#if C > 1
	PUT(1) GET(1)
#endif
#if C > 2
	PUT(2) GET(2)
#endif
#if C > 3
	PUT(3) GET(3)
#endif
#if C > 4
	PUT(4) GET(4)
#endif
#if C > 5
	PUT(5) GET(5)
#endif
	od
}

#define CLIENT (_pid - 3)
#define PUTOK(s) \
	:: d_step { putOk[C * s + CLIENT] && phase[CLIENT] == writing -> \
		putOk[C * s + CLIENT] = false; phase[CLIENT] = reading; get[CLIENT] = true }

active [C] proctype ask() {
end:	do
	PUTOK(0) PUTOK(1) PUTOK(2)
	:: d_step { getOk[CLIENT] && phase[CLIENT] == reading -> getOk[CLIENT] = 0; phase[CLIENT] = done }
	od
}
