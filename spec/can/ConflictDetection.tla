\* Left out: joins, leaves, crashes, takeovers, orphaned promises, epochs, superseded neighbours, reclaim.
\* TLC checks this by hand only: tlc.txt records what it found, and for which text of this file.
-------------------------- MODULE ConflictDetection --------------------------
(****************************************************************************)
(* Rounds of CAN conflict detection, as corrected: who may change a zone,   *)
(* and when. Nodes stand in a row; a change moves the border between its    *)
(* proposer and a direct neighbour. Zones are reduced to their versions:    *)
(* how many changes there were. Nodes neither join, leave nor fail here.    *)
(* README.md says what that leaves out and who looks after it.              *)
(****************************************************************************)
EXTENDS Naturals, FiniteSets

CONSTANTS
    N,         \* nodes 1, …, N in a row
    Proposers, \* those of them that may begin rounds
    MaxRound,  \* rounds that each may begin
    MaxLoss    \* messages that may be lost

Node == 1 .. N
Nobody == 0

\* Two steps make a neighbourhood: the direct neighbours and theirs.
Direct(n) == {q \in Node : q = n - 1 \/ q = n + 1}
Near(n) == {q \in Node : q # n /\ q + 2 >= n /\ q <= n + 2}

Version == 0 .. 3 * MaxRound
Round == 1 .. MaxRound
Command == {"NO-OP", "CHANGE"}

\* What a round is about: the versions that the two zones have if it is granted.
Change == [taker : Node, own : Version, takers : Version]

Message ==
         [type : {"Propose"}, from : Node, to : Node, round : Round, version : Version]
    \cup [type : {"Yes"}, from : Node, to : Node, round : Round]
    \cup [type : {"No"}, from : Node, to : Node, round : Round, version : Version]
    \cup [type : {"Release"}, from : Node, to : Node, round : Round]
    \cup [type : {"Commit"}, from : Node, to : Node, round : Round, command : Command, change : Change]
    \cup [type : {"CommitOK"}, from : Node, to : Node, round : Round]

VARIABLES
    version,   \* of each node's zone
    known,     \* known[n][q]: the version of q's zone as n knows it
    round,     \* the number of each node's latest round
    stage,     \* where that round stands
    change,    \* what it proposes
    waiting,   \* whose answer or acknowledgement it misses
    later,     \* while proposing, the nodes that said YES; while granting, those to notify afterwards
    promise,   \* each node's word to change nothing until that round is over
    net,       \* messages in flight: a set, so that any may come next
    lost,      \* how many were lost
    \* What the properties remember.
    executed,  \* who executed which round as what
    hurt       \* whose open round was hurt: one in conflict with it took effect

vars == <<version, known, round, stage, change, waiting, later, promise, net, lost, executed, hurt>>

TypeOK ==
    /\ version \in [Node -> Version]
    /\ known \in [Node -> [Node -> Version]]
    /\ round \in [Node -> 0 .. MaxRound]
    /\ stage \in [Node -> {"stable", "proposing", "granting", "committing"}]
    /\ change \in [Node -> Change]
    /\ waiting \in [Node -> SUBSET Node]
    /\ later \in [Node -> SUBSET Node]
    /\ promise \in [Node -> [proposer : Node \cup {Nobody}, round : 0 .. MaxRound]]
    /\ net \subseteq Message
    /\ lost \in 0 .. MaxLoss
    /\ hurt \subseteq Node

NoPromise == [proposer |-> Nobody, round |-> 0]

Init ==
    /\ version = [n \in Node |-> 0]
    /\ known = [n \in Node |-> [q \in Node |-> 0]]
    /\ round = [n \in Node |-> 0]
    /\ stage = [n \in Node |-> "stable"]
    /\ change = [n \in Node |-> [taker |-> n, own |-> 0, takers |-> 0]]
    /\ waiting = [n \in Node |-> {}]
    /\ later = [n \in Node |-> {}]
    /\ promise = [n \in Node |-> NoPromise]
    /\ net = {}
    /\ lost = 0
    /\ executed = {}
    /\ hurt = {}

Busy(n) == stage[n] # "stable" \/ promise[n] # NoPromise

-----------------------------------------------------------------------------
(* The proposer. *)

\* Algorithm 4: participants and outcome are fixed at the request.
Request(l, taker) ==
    /\ ~Busy(l)
    /\ round[l] < MaxRound
    /\ round' = [round EXCEPT ![l] = @ + 1]
    /\ stage' = [stage EXCEPT ![l] = "proposing"]
    /\ change' = [change EXCEPT ![l] =
           [taker |-> taker, own |-> version[l] + 1, takers |-> known[l][taker] + 1]]
    /\ waiting' = [waiting EXCEPT ![l] = Near(l)]
    /\ later' = [later EXCEPT ![l] = {}]
    /\ net' = net \cup
           {[type |-> "Propose", from |-> l, to |-> r, round |-> round[l] + 1, version |-> known[l][r]] : r \in Near(l)}
    /\ hurt' = hurt \ {l}
    /\ UNCHANGED <<version, known, promise, lost, executed>>

CommitTo(l, to, command) ==
    {[type |-> "Commit", from |-> l, to |-> r, round |-> round[l], command |-> command, change |-> change[l]] : r \in to}

\* The command that l decided in its present round, once it has.
Decided(l) == IF [by |-> l, proposer |-> l, round |-> round[l], command |-> "CHANGE", change |-> change[l]] \in executed
              THEN "CHANGE" ELSE "NO-OP"

\* Rounds in conflict: one's proposer is in the other's neighbourhood.
InConflict(l) == {q \in Near(l) : stage[q] = "proposing"}

\* Algorithm 8: decided once and finally. The taker is notified first, the others when it has acknowledged.
\* rest are the other messages in flight, view is what everybody knows.
Decide(l, command, rest, view) ==
    /\ executed' = executed \cup
           {[by |-> l, proposer |-> l, round |-> round[l], command |-> command, change |-> change[l]]}
    /\ later' = [later EXCEPT ![l] = IF command = "CHANGE" THEN Near(l) \ {change[l].taker} ELSE {}]
    /\ waiting' = [waiting EXCEPT ![l] = IF command = "CHANGE" THEN {change[l].taker} ELSE Near(l)]
    /\ stage' = [stage EXCEPT ![l] = IF command = "CHANGE" THEN "granting" ELSE "committing"]
    /\ net' = rest \cup CommitTo(l, waiting'[l], command)
    /\ version' = IF command = "CHANGE" THEN [version EXCEPT ![l] = change[l].own] ELSE version
    /\ known' = IF command = "CHANGE" THEN [view EXCEPT ![l][change[l].taker] = change[l].takers] ELSE view
    /\ hurt' = IF command = "CHANGE" THEN hurt \cup InConflict(l) ELSE hurt
    /\ UNCHANGED <<round, change, promise, lost>>

\* Algorithm 7, at any time: messages may be slow.
ProposeTimeout(l) ==
    /\ stage[l] = "proposing"
    /\ Decide(l, "NO-OP", net, known)

\* Algorithm 6, a YES.
OnYes(m) ==
    LET l == m.to
        r == m.from
        counts == m.round = round[l] /\ stage[l] = "proposing" /\ r \in waiting[l]
        \* The outcome is open, or a grant is on its way to r. Of a cancelled round nothing is to come that r needs.
        concerned == /\ m.round = round[l]
                     /\ stage[l] = "proposing" \/ (stage[l] # "stable" /\ Decided(l) = "CHANGE")
                     /\ r \in waiting[l] \cup later[l]
    IN  \/ /\ counts /\ waiting[l] = {r}
           /\ Decide(l, "CHANGE", net \ {m}, known)
        \/ /\ counts /\ waiting[l] # {r}
           /\ waiting' = [waiting EXCEPT ![l] = @ \ {r}]
           /\ later' = [later EXCEPT ![l] = @ \cup {r}]
           /\ net' = net \ {m}
           /\ UNCHANGED <<version, known, round, stage, change, promise, lost, executed, hurt>>
        \/ /\ ~counts
           /\ net' = (net \ {m}) \cup
                  (IF concerned THEN {} ELSE {[type |-> "Release", from |-> l, to |-> r, round |-> m.round]})
           /\ UNCHANGED <<version, known, round, stage, change, waiting, later, promise, lost, executed, hurt>>

Max(a, b) == IF a > b THEN a ELSE b

\* Algorithm 6, a NO: the first decides. In any case it mends the proposer's view.
OnNo(m) ==
    LET l == m.to
        r == m.from
        counts == m.round = round[l] /\ stage[l] = "proposing" /\ r \in waiting[l]
        mended == [known EXCEPT ![l][r] = Max(@, m.version)]
    IN  \/ /\ counts
           /\ Decide(l, "NO-OP", net \ {m}, mended)
        \/ /\ ~counts
           /\ known' = mended
           /\ net' = net \ {m}
           /\ UNCHANGED <<version, round, stage, change, waiting, later, promise, lost, executed, hurt>>

OnCommitOK(m) ==
    LET l == m.to
        r == m.from
        due == m.round = round[l] /\ stage[l] \in {"granting", "committing"}
        rest == waiting[l] \ {r}
    IN  \/ /\ due /\ rest = {} /\ stage[l] = "granting" /\ later[l] # {}
           /\ stage' = [stage EXCEPT ![l] = "committing"]
           /\ waiting' = [waiting EXCEPT ![l] = later[l]]
           /\ later' = [later EXCEPT ![l] = {}]
           /\ net' = (net \ {m}) \cup CommitTo(l, later[l], Decided(l))
           /\ UNCHANGED <<version, known, round, change, promise, lost, executed, hurt>>
        \/ /\ due /\ ~(rest = {} /\ stage[l] = "granting" /\ later[l] # {})
           /\ stage' = [stage EXCEPT ![l] = IF rest = {} THEN "stable" ELSE @]
           /\ waiting' = [waiting EXCEPT ![l] = rest]
           /\ net' = net \ {m}
           /\ UNCHANGED <<version, known, round, change, later, promise, lost, executed, hurt>>
        \/ /\ ~due
           /\ net' = net \ {m}
           /\ UNCHANGED <<version, known, round, stage, change, waiting, later, promise, lost, executed, hurt>>

-----------------------------------------------------------------------------
(* The participant. *)

\* Algorithm 5. A newer round of the same proposer means that the older one is over.
OnPropose(m) ==
    LET l == m.from
        r == m.to
        p == promise[r]
        newer == p.proposer # l \/ m.round > p.round
        free == stage[r] = "stable" /\ p.proposer \in {Nobody, l}
        yes == newer /\ free /\ m.version = version[r]
        reply == IF yes \/ p = [proposer |-> l, round |-> m.round]
                 THEN {[type |-> "Yes", from |-> r, to |-> l, round |-> m.round]}
                 ELSE IF newer
                 THEN {[type |-> "No", from |-> r, to |-> l, round |-> m.round, version |-> version[r]]}
                 ELSE {}
    IN  /\ promise' = [promise EXCEPT ![r] =
               IF yes THEN [proposer |-> l, round |-> m.round]
               ELSE IF newer /\ p.proposer = l THEN NoPromise ELSE @]
        /\ net' = (net \ {m}) \cup reply
        /\ UNCHANGED <<version, known, round, stage, change, waiting, later, lost, executed, hurt>>

OnRelease(m) ==
    /\ promise' = [promise EXCEPT ![m.to] = IF @ = [proposer |-> m.from, round |-> m.round] THEN NoPromise ELSE @]
    /\ net' = net \ {m}
    /\ UNCHANGED <<version, known, round, stage, change, waiting, later, lost, executed, hurt>>

\* Algorithm 9: the promise is the right to execute, once. Every copy is acknowledged.
OnCommit(m) ==
    LET l == m.from
        r == m.to
        c == m.change
        mine == promise[r] = [proposer |-> l, round |-> m.round]
        changes == mine /\ m.command = "CHANGE"
    IN  /\ net' = (net \ {m}) \cup {[type |-> "CommitOK", from |-> r, to |-> l, round |-> m.round]}
        /\ promise' = [promise EXCEPT ![r] = IF mine THEN NoPromise ELSE @]
        /\ executed' = IF mine
               THEN executed \cup {[by |-> r, proposer |-> l, round |-> m.round, command |-> m.command, change |-> c]}
               ELSE executed
        /\ version' = IF changes /\ r = c.taker THEN [version EXCEPT ![r] = c.takers] ELSE version
        /\ known' = IF ~changes THEN known
               ELSE IF r = c.taker THEN [known EXCEPT ![r][l] = Max(@, c.own)]
               ELSE [known EXCEPT ![r] = [@ EXCEPT ![l] = Max(@, c.own), ![c.taker] = Max(@, c.takers)]]
        /\ UNCHANGED <<round, stage, change, waiting, later, lost, hurt>>

-----------------------------------------------------------------------------
(* The network and the clocks. *)

Deliver(m) ==
    /\ m \in net
    /\ \/ m.type = "Propose" /\ OnPropose(m)
       \/ m.type = "Yes" /\ OnYes(m)
       \/ m.type = "No" /\ OnNo(m)
       \/ m.type = "Release" /\ OnRelease(m)
       \/ m.type = "Commit" /\ OnCommit(m)
       \/ m.type = "CommitOK" /\ OnCommitOK(m)

Lose(m) ==
    /\ m \in net
    /\ lost < MaxLoss
    /\ lost' = lost + 1
    /\ net' = net \ {m}
    /\ UNCHANGED <<version, known, round, stage, change, waiting, later, promise, executed, hurt>>

\* What was not acknowledged is sent again; this is also where repeated messages come from.
Resend(n) ==
    /\ net' = net \cup
           (IF stage[n] \in {"granting", "committing"} THEN CommitTo(n, waiting[n], Decided(n)) ELSE {}) \cup
           (IF promise[n] # NoPromise
            THEN {[type |-> "Yes", from |-> n, to |-> promise[n].proposer, round |-> promise[n].round]} ELSE {})
    /\ net' # net
    /\ UNCHANGED <<version, known, round, stage, change, waiting, later, promise, lost, executed, hurt>>

\* News of a zone may come at any time; older news than what is known is of no use.
Hear(n, q) ==
    /\ \E v \in known[n][q] + 1 .. version[q] : known' = [known EXCEPT ![n][q] = v]
    /\ UNCHANGED <<version, round, stage, change, waiting, later, promise, net, lost, executed, hurt>>

Next ==
    \/ \E l \in Proposers : \E taker \in Direct(l) : Request(l, taker)
    \/ \E l \in Node : ProposeTimeout(l) \/ Resend(l)
    \/ \E m \in net : Deliver(m) \/ Lose(m)
    \/ \E n \in Node : \E q \in Near(n) : Hear(n, q)

Spec == Init /\ [][Next]_vars

\* Nobody has to ask for anything. But timers run out, and what is sent again and again comes through. Weak
\* fairness says that much: a message stays in flight until it is delivered or lost, and MaxLoss are lost.
DeliverOne(type, from, to, i) ==
    \E m \in net : m.type = type /\ m.from = from /\ m.to = to /\ m.round = i /\ Deliver(m)

Fairness ==
    /\ \A l \in Node : WF_vars(ProposeTimeout(l)) /\ WF_vars(Resend(l))
    /\ \A type \in {"Propose", "Yes", "No", "Release", "Commit", "CommitOK"} :
           \A from \in Node : \A to \in Near(from) : \A i \in Round : WF_vars(DeliverOne(type, from, to, i))

FairSpec == Spec /\ Fairness

-----------------------------------------------------------------------------
(* Properties. *)

\* No round takes effect if one in conflict with it took effect since it was requested.
NoConflict == \A l \in hurt : stage[l] # "granting"

\* Each change builds on the zones that there are. In terms of zones: what one loses another gains, and
\* nobody gains twice.
NoOverlap ==
    [][/\ \A n \in Node : version'[n] # version[n] => version'[n] = version[n] + 1
       /\ \A e \in executed' \ executed :
              e.command = "CHANGE" /\ e.by \in {e.proposer, e.change.taker} => version'[e.by] = version[e.by] + 1]_vars

\* No node hears of a zone before its owner has it, but from the proposer's own decision.
OwnerFirst ==
    \A n \in Node : \A q \in Near(n) :
        known[n][q] <= version[q] \/ (stage[n] = "granting" /\ change[n].taker = q /\ q \in waiting[n])

\* When a round is granted, each participant that has not executed it holds the promise and has the zone that
\* the proposer knows.
ViewsFit ==
    \A l \in Node : stage[l] = "granting" =>
        \A r \in Near(l) :
            \/ \E e \in executed : e.by = r /\ e.proposer = l /\ e.round = round[l]
            \/ /\ promise[r] = [proposer |-> l, round |-> round[l]]
               /\ version[r] = IF r = change[l].taker THEN change[l].takers - 1 ELSE known[l][r]

\* A cancelled command never takes effect anywhere.
CancelledStays ==
    \A e, f \in executed : e.proposer = f.proposer /\ e.round = f.round => e.command = f.command

\* All who execute a round execute the same.
OneCommand ==
    \A e, f \in executed : e.proposer = f.proposer /\ e.round = f.round => e = [f EXCEPT !.by = e.by]

AtRest == net = {} /\ \A n \in Node : ~Busy(n)

\* When quiescent, each node knows its neighbourhood as it is.
ViewsAgree == AtRest => \A n \in Node : \A q \in Near(n) : known[n][q] = version[q]

\* Every round ends, and so does every promise.
Answered == \A n \in Node : Busy(n) ~> ~Busy(n)

\* Nobody stays busy: whatever comes to rest is free. Requests are limited here, so everything does.
NobodyBusy == <>[](\A n \in Node : ~Busy(n))
=============================================================================
