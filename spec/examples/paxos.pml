/* Single-decree Paxos: the twin of examples/paxos. Three servers; each of C clients writes at one server and,
 * when that is acknowledged, reads at the next.
 *
 *   C=1 to 6   clients (2)
 *   FORGETFUL  a leader ignores the votes that it receives, and proposes its own value
 *
 * No message is ever in flight twice, since each server leads at most one ballot. So the network is a place
 * for each message that there can be, empty or full, packed into the bits of a word for each pair of servers
 * and of one for each client. What would be ignored stays where it is. A ballot is 4 * round + leader; a vote
 * is 8 * ballot + value; a value is a client, from 1 on; 0 is none of them.
 *
 * Each step is one transition of one process.
 */
#ifndef C
#define C 2
#endif

/* from a leader L to another server D, and back */
typedef Pair {
	unsigned prepare : 2;   /* round */
	unsigned prepared : 4;  /* back: ballot */
	unsigned last : 7;      /* and vote */
	unsigned accept : 7;    /* vote */
	unsigned accepted : 4;  /* back: ballot */
	unsigned decided : 7    /* vote */
}

typedef Server {
	unsigned ballot : 4;
	unsigned proposal : 3;
	unsigned accepted : 7;  /* vote */
	unsigned accepts : 3;   /* set of servers */
	unsigned given : 3;     /* set of servers that have promised, */
	unsigned vote0 : 7;     /* with which votes */
	unsigned vote1 : 7;
	unsigned vote2 : 7;
	unsigned decided : 1
}

typedef Client {
	unsigned put : 1;
	unsigned get : 1;
	unsigned putok : 3;     /* set of servers from which it is on its way */
	unsigned getok : 3;     /* value */
	unsigned phase : 2      /* 0: writing, 1: reading, 2: done */
}

Pair p01, p02, p10, p12, p20, p21;
Server s0, s1, s2;
Client client0;
#if C > 1
Client client1;
#endif
#if C > 2
Client client2;
#endif
#if C > 3
Client client3;
#endif
#if C > 4
Client client4;
#endif
#if C > 5
Client client5;
#endif

#define DIFFER(x, y) (x.decided && y.decided && (x.accepted & 7) != (y.accepted & 7))
#define AGREEMENT assert(!DIFFER(s0, s1) && !DIFFER(s0, s2) && !DIFFER(s1, s2))

/* PUT: client c writes at server i, the others are j and k */
#define PUT(c, i, j, k) \
	:: d_step { client##c.put && !s##i.decided && s##i.proposal == 0 -> \
		client##c.put = 0; \
		s##i.proposal = c + 1; \
		s##i.ballot = ((s##i.ballot >> 2) + 1) * 4 + i; \
		s##i.given = 1 << i; s##i.accepts = 0; \
		s##i.vote0 = 0; s##i.vote1 = 0; s##i.vote2 = 0; \
		s##i.vote##i = s##i.accepted; \
		p##i##j.prepare = s##i.ballot >> 2; \
		p##i##k.prepare = s##i.ballot >> 2 }

#define GET(c, i) \
	:: d_step { client##c.get && s##i.decided -> client##c.get = 0; client##c.getok = s##i.accepted & 7 } \
	:: d_step { client##c.getok && client##c.phase == 1 -> client##c.getok = 0; client##c.phase = 2 }

#define PUTOK(c, i) \
	:: d_step { (client##c.putok & (1 << i)) && client##c.phase == 0 -> \
		client##c.putok = client##c.putok & (7 - (1 << i)); client##c.phase = 1; client##c.get = 1 }

#define PUTOKS(c) PUTOK(c, 0) PUTOK(c, 1) PUTOK(c, 2)

#define MAX(a, b) (a > b -> a : b)
#define LATEST(s) MAX(MAX(s.vote0, s.vote1), s.vote2)
#ifdef FORGETFUL
#define CHOSEN(s) 0
#else
#define CHOSEN(s) LATEST(s)
#endif

#define ACKNOWLEDGE(c, i) :: s##i.proposal == c + 1 -> client##c.putok = client##c.putok | (1 << i)
#if C > 1
#define ACK1(i) ACKNOWLEDGE(1, i)
#else
#define ACK1(i)
#endif
#if C > 2
#define ACK2(i) ACKNOWLEDGE(2, i)
#else
#define ACK2(i)
#endif
#if C > 3
#define ACK3(i) ACKNOWLEDGE(3, i)
#else
#define ACK3(i)
#endif
#if C > 4
#define ACK4(i) ACKNOWLEDGE(4, i)
#else
#define ACK4(i)
#endif
#if C > 5
#define ACK5(i) ACKNOWLEDGE(5, i)
#else
#define ACK5(i)
#endif

/* PAIR: leader i, another server j, the third one k */
#define PAIR(i, j, k) \
	:: d_step { p##i##j.prepare && !s##j.decided && s##j.ballot < p##i##j.prepare * 4 + i -> \
		s##j.ballot = p##i##j.prepare * 4 + i; p##i##j.prepare = 0; \
		p##i##j.prepared = s##j.ballot; p##i##j.last = s##j.accepted } \
	:: d_step { p##i##j.prepared && !s##i.decided && s##i.ballot == p##i##j.prepared -> \
		s##i.vote##j = p##i##j.last; s##i.given = s##i.given | (1 << j); \
		p##i##j.prepared = 0; p##i##j.last = 0; \
		if \
		:: (s##i.given & (1 << k)) == 0 -> \
			if \
			:: CHOSEN(s##i) -> s##i.proposal = CHOSEN(s##i) & 7 \
			:: else \
			fi; \
			s##i.accepted = s##i.ballot * 8 + s##i.proposal; s##i.accepts = s##i.accepts | (1 << i); \
			p##i##j.accept = s##i.accepted; p##i##k.accept = s##i.accepted \
		:: else \
		fi } \
	:: d_step { p##i##j.accept && !s##j.decided && s##j.ballot <= (p##i##j.accept >> 3) -> \
		s##j.accepted = p##i##j.accept; p##i##j.accept = 0; \
		s##j.ballot = s##j.accepted >> 3; p##i##j.accepted = s##j.ballot } \
	:: d_step { p##i##j.accepted && !s##i.decided && s##i.ballot == p##i##j.accepted -> \
		p##i##j.accepted = 0; s##i.accepts = s##i.accepts | (1 << j); \
		if \
		:: (s##i.accepts & (1 << k)) == 0 -> \
			s##i.decided = 1; AGREEMENT; \
			p##i##j.decided = s##i.ballot * 8 + s##i.proposal; p##i##k.decided = p##i##j.decided; \
			if \
			ACKNOWLEDGE(0, i) ACK1(i) ACK2(i) ACK3(i) ACK4(i) ACK5(i) \
			fi \
		:: else \
		fi } \
	:: d_step { p##i##j.decided && !s##j.decided -> \
		s##j.accepted = p##i##j.decided; s##j.ballot = s##j.accepted >> 3; \
		s##j.decided = 1; p##i##j.decided = 0; AGREEMENT }

init {
	d_step {
		client0.put = 1;
#if C > 1
		client1.put = 1;
#endif
#if C > 2
		client2.put = 1;
#endif
#if C > 3
		client3.put = 1;
#endif
#if C > 4
		client4.put = 1;
#endif
#if C > 5
		client5.put = 1;
#endif
	};
end:	do
	PAIR(0, 1, 2) PAIR(0, 2, 1) PAIR(1, 0, 2) PAIR(1, 2, 0) PAIR(2, 0, 1) PAIR(2, 1, 0)
	PUT(0, 0, 1, 2) GET(0, 1) PUTOKS(0)
#if C > 1
	PUT(1, 1, 0, 2) GET(1, 2) PUTOKS(1)
#endif
#if C > 2
	PUT(2, 2, 0, 1) GET(2, 0) PUTOKS(2)
#endif
#if C > 3
	PUT(3, 0, 1, 2) GET(3, 1) PUTOKS(3)
#endif
#if C > 4
	PUT(4, 1, 0, 2) GET(4, 2) PUTOKS(4)
#endif
#if C > 5
	PUT(5, 2, 0, 1) GET(5, 0) PUTOKS(5)
#endif
	od
}
