package rpc

import (
	"github.com/canvass-grid/canvass/daemon/api"
	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
	"github.com/canvass-grid/canvass/protocol/reptask"
)

// Calls about submissions and attempts.
var (
	Client = declare[OwnedJob, Submission]("client") // which submission a job of an owner came from
	Order  = declare[Submission, Binding]("order")   // which job it was, asked of the life that submitted it
	Owns   = declare[uint32, bool]("owns")           // whether an owner has a submission of the one that asks
	Cancel = declare[uint32, None]("cancel")         // an owner is to give up a submission of the one that asks
	Ended  = declare[LostReport, None]("ended")      // an owner has cancelled a submission
	Lost   = declare[LostReport, None]("lost")       // a submission has found no place
	Holds  = declare[AttemptName, Holding]("holds")  // whether a host holds an attempt
	Halt   = declare[AttemptName, None]("halt")      // a representative is to end an attempt
	Forget = declare[AttemptName, None]("forget")    // a host is to remove the output of an attempt

	Load   = declare[None, NodeLoad]("load")          // the queue and the cluster of a node
	Queues = declare[[]reptask.Queue, None]("queues") // how long queues are that a moving job will meet
)

// Calls to the custodian that decides about a job.
var (
	Permit  = declare[PermitRequest, bool]("permit")  // whether an attempt may start
	Outcome = declare[OutcomeReport, None]("outcome") // how an attempt has ended
	Unfit   = declare[UnfitReport, None]("unfit")     // why a host cannot start an attempt
	Gone    = declare[JobAttempt, None]("gone")       // nothing of an attempt runs at the host that asks
	Rank    = declare[RankReport, bool]("rank")       // what a host reports of its task; whether outputs are kept
	Do      = declare[DoRequest, Failure]("do")       // what a user wants of a job
)

// Calls about records and contents.
var (
	Keep     = declare[Copy, KeepAnswer]("keep")                // a custodian is to keep a record with its contents
	Takes    = declare[jobs.Name, bool]("takes")                // whether the daemon that named a job has it
	Awaits   = declare[jobs.Name, []protocol.Address]("awaits") // for which custodians of a job this one waits
	Erase    = declare[jobs.Name, None]("erase")                // a custodian is to forget a job
	CatchUp  = declare[[]jobs.Name, []jobs.Name]("catchup")     // which of these jobs were forgotten
	Loss     = declare[LossRequest, Failure]("loss")            // an operator gives up the disk of a custodian
	Find     = declare[string, Found]("find")                   // the copy of a job whose id begins so
	List     = declareBulk[ListRequest, Page]("list")           // the next copies of a daemon
	Elements = declareBulk[ElementsRequest, []Element]("elements")
	Deposit  = declare[DepositRequest, []Absence]("deposit")     // a custodian is to copy outputs
	Examine  = declare[string, None]("examine")                  // a content was damaged where it arrived
	Blob     = declareBulk[PieceOf, Fragment]("blob")            // a piece of a content
	Content  = declareBulk[PieceOf, Fragment]("content")         // a piece of an output in its working folder
	Output   = declare[OutputName, int64]("output")              // how large a stream is so far
	Printed  = declareBulk[[]AttemptName, [][2]int64]("printed") // how much attempts have printed
)

// Calls about nodes and the grid.
var (
	Echo     = declare[None, None]("echo")                        // a round trip
	Report   = declare[None, api.NodeReport]("report")            // what a daemon reports of itself
	Events   = declareBulk[EventsRequest, EventsAnswer]("events") // the next events of a daemon
	Drain    = declare[DrainRequest, DrainAnswer]("drain")        // a node is to leave, or to stay
	Farewell = declare[FarewellReport, None]("farewell")          // a node has left
	Departed = declare[None, Departures]("departed")              // which nodes have left
	Regrid   = declare[uint32, None]("regrid")                    // a witness is to close a generation of the grid
	Life     = declare[protocol.Address, uint16]("life")          // the latest life of a node that a witness knows
)
