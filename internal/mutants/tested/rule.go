package tested

// The rules of a driver and of what it drives, as the table of docs/mutants.md states them.
const (
	durableFirst  = "What a step says leaves after its bytes are durable."
	inOrder       = "The effects of steps are carried out in the order of the steps."
	timersAsSet   = "A timer fires once each time that it is set, and not after it was cancelled."
	answeredFirst = "A question of a core is answered before any other input."
	thisLife      = "A message reaches the life that it names, or none."
	laterInput    = "A message of a node to itself is a later input, never a step within a step."
	killedFirst   = "A process has ended before its node says so, and only messages about tasks wait for that."
	ownExit       = "The run timer fires only for the attempt whose task runs."
	safeFirst     = "A task finishes after what it came to is safe."
	overIsOver    = "A life that is fenced ends, and takes no further input."
	certified     = "A node is suspected only with a certificate of its death."
	leaseTime     = "A lease counts from its request, by a clock that goes on during suspend, and its expiry goes first."
	noDelay       = "Leases do not wait behind other messages."
	noneMissing   = "Of the messages of one sender none is missing between others."
	usable        = "A daemon ends if its core does not accept the identity of its last life."
	custodianHas  = "A custodian acknowledges what is on its disk."
)
