/* Two-phase commit of Gray and Lamport: the twin of examples/twophase.
 *
 *   N=1 to 12   resource managers (3)
 *   BROKEN      the transaction manager commits when all but one are prepared
 *
 * Sets are bits of numbers, and each step is one transition of one process: this is as fast as SPIN gets,
 * and the only state in addition to those of the protocol is that before the first step of the process.
 */
#ifndef N
#define N 3
#endif
#define ALL ((1 << N) - 1)
#ifdef BROKEN
#define ENOUGH (ALL >> 1)
#else
#define ENOUGH ALL
#endif

unsigned prepared : N   /* managers that are prepared, */
unsigned committed : N  /* that have committed, */
unsigned aborted : N    /* that have aborted; the others work */
unsigned sent : N       /* managers whose message Prepared was sent */
unsigned known : N      /* and received by the transaction manager */
bit commit              /* its message, and its state */
bit abort

#define CONSISTENT assert(committed == 0 || aborted == 0)
#define BIT(i) (1 << i)
#define WORKS(i) (((prepared | committed | aborted) & BIT(i)) == 0)
#define REST(set, i) set = set & (ALL - BIT(i))

#define MANAGER(i) \
	:: d_step { !commit && !abort && (sent & BIT(i)) -> known = known | BIT(i) } \
	:: d_step { WORKS(i) -> prepared = prepared | BIT(i); sent = sent | BIT(i) } \
	:: d_step { WORKS(i) -> aborted = aborted | BIT(i); CONSISTENT } \
	:: d_step { commit -> REST(prepared, i); REST(aborted, i); committed = committed | BIT(i); CONSISTENT } \
	:: d_step { abort -> REST(prepared, i); REST(committed, i); aborted = aborted | BIT(i); CONSISTENT }

active proctype system() {
	do
	:: d_step { !commit && !abort && (known & ENOUGH) == ENOUGH -> commit = 1 }
	:: d_step { !commit && !abort -> abort = 1 }
	MANAGER(0)
#if N > 1
	MANAGER(1)
#endif
#if N > 2
	MANAGER(2)
#endif
#if N > 3
	MANAGER(3)
#endif
#if N > 4
	MANAGER(4)
#endif
#if N > 5
	MANAGER(5)
#endif
#if N > 6
	MANAGER(6)
#endif
#if N > 7
	MANAGER(7)
#endif
#if N > 8
	MANAGER(8)
#endif
#if N > 9
	MANAGER(9)
#endif
#if N > 10
	MANAGER(10)
#endif
#if N > 11
	MANAGER(11)
#endif
	od
}
