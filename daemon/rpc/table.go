package rpc

import (
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Calls about submissions and attempts.
var (
	Client = declare[OwnedJob, Submission]("client") // the submission that a job of an owner came from
	Order  = declare[Submission, Binding]("order")   // its job, from the incarnation that submitted it
	Owns   = declare[uint32, bool]("owns")           // whether an owner has a submission of the caller
	Cancel = declare[uint32, None]("cancel")         // makes an owner give up a submission of the caller
	Ended  = declare[LostReport, None]("ended")      // an owner has cancelled a submission
	Lost   = declare[LostReport, None]("lost")       // a submission has found no place
	Holds  = declare[AttemptName, Holding]("holds")  // whether a host holds an attempt
	Halt   = declare[AttemptName, None]("halt")      // makes a representative end an attempt
	Forget = declare[AttemptName, None]("forget")    // makes a host remove the output of an attempt

	Load   = declare[None, NodeLoad]("load")          // the queue and the cluster of a node
	Queues = declare[[]reptask.Queue, None]("queues") // the queue lengths that a moving job will meet
)

// Calls to the custodian that decides about a job.
var (
	Permit  = declare[PermitRequest, bool]("permit")  // whether an attempt may start
	Outcome = declare[OutcomeReport, None]("outcome") // how an attempt has ended
	Unfit   = declare[UnfitReport, None]("unfit")     // why a host cannot start an attempt
	Gone    = declare[JobAttempt, None]("gone")       // nothing of an attempt runs at the caller
	Rank    = declare[RankReport, bool]("rank")       // a host's report about its task; whether outputs are kept
	Do      = declare[DoRequest, Failure]("do")       // a user's operation on a job
)

// Calls about records and contents.
var (
	Keep     = declare[Copy, KeepAnswer]("keep")                // makes a custodian keep a record with its contents
	Takes    = declare[jobs.Name, bool]("takes")                // whether the daemon that named a job has it
	Awaits   = declare[jobs.Name, []protocol.Address]("awaits") // the custodians of a job for which this one waits
	Erase    = declare[jobs.Name, None]("erase")                // makes a custodian forget a job
	CatchUp  = declare[[]jobs.Name, []jobs.Name]("catchup")     // which of these jobs were forgotten
	Loss     = declare[LossRequest, Failure]("loss")            // an operator gives up the disk of a custodian
	Find     = declare[string, Found]("find")                   // the copy of a job whose id begins so
	List     = declareBulk[ListRequest, Page]("list")           // the next copies of a daemon
	Elements = declareBulk[ElementsRequest, []Element]("elements")
	Deposit  = declare[DepositRequest, []Absence]("deposit")     // makes a custodian copy outputs
	Examine  = declare[string, None]("examine")                  // a content was damaged where it arrived
	Blob     = declareBulk[PieceOf, Fragment]("blob")            // a piece of a content
	Content  = declareBulk[PieceOf, Fragment]("content")         // a piece of an output in its working folder
	Output   = declare[OutputName, int64]("output")              // how large a stream is so far
	Printed  = declareBulk[[]AttemptName, [][2]int64]("printed") // how much attempts have printed
)

// Calls about nodes and the grid.
var (
	Echo     = declare[None, None]("echo")                        // a round trip
	Report   = declare[None, api.NodeReport]("report")            // the report of a daemon
	Events   = declareBulk[EventsRequest, EventsAnswer]("events") // the next events of a daemon
	Drain    = declare[DrainRequest, DrainAnswer]("drain")        // makes a node leave, or stay
	Farewell = declare[FarewellReport, None]("farewell")          // a node has left
	Departed = declare[None, Departures]("departed")              // the departed nodes
	Regrid   = declare[uint32, None]("regrid")                    // makes a witness close a generation of the grid
	Life     = declare[protocol.Address, uint16]("life")          // the latest incarnation of a node at a witness
)
