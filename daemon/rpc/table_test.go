package rpc

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/jobs"
	"github.com/canvass-grid/canvass/protocol"
)

// A value that is looked up, counted, or used as a name is checked when it is decoded.
func TestBodiesAreChecked(t *testing.T) {
	const attempt = `"by":"A","epoch":1,"job":{"by":"A","number":1}`
	for body, decoded := range map[string]func(json.RawMessage) error{
		`{"digest":"0","offset":0}`:                                                      errorOf[PieceOf],
		`{"digest":"","offset":0}`:                                                       errorOf[PieceOf],
		`{"path":"o","offset":-1}`:                                                       errorOf[PieceOf],
		`{"data":"","size":-1}`:                                                          errorOf[Fragment],
		`{` + attempt + `,"hosts":[]}`:                                                   errorOf[PermitRequest],
		`{` + attempt + `,"hosts":["A"]}`:                                                errorOf[OutcomeReport],
		`{` + attempt + `,"rank":{"outputs":[{"path":"o","sha256":"a"}]}}`:               errorOf[RankReport],
		`{"told":{"outputs":[{"path":"../o"}]}}`:                                         errorOf[Holding],
		`{` + attempt + `,"rank":0,"files":[{"path":"o"}]}`:                              errorOf[DepositRequest],
		`{` + attempt + `,"rank":-1,"files":[{"path":"o","link":"x"}]}`:                  errorOf[DepositRequest],
		`{"custodians":["A"],"spec":{"command":[],"tasks":1}}`:                           errorOf[Binding],
		`{"custodians":[],"spec":{"command":["x"],"tasks":1}}`:                           errorOf[Binding],
		`{"custodians":["A","B","C","D"],"spec":{"command":["x"],"tasks":1}}`:            errorOf[Binding],
		`{"record":{"version":2,"id":"x"}}`:                                              errorOf[Found],
		`{` + attempt + `,"hosts":["A"` + strings.Repeat(`,"A"`, jobs.TasksLimit) + `]}`: errorOf[PermitRequest],
	} {
		assert.ErrorIs(t, decoded(json.RawMessage(body)), ErrUnreadable, body)
	}
	most := `{` + attempt + `,"hosts":["A"` + strings.Repeat(`,"A"`, jobs.TasksLimit-1) + `]}`
	assert.NoError(t, errorOf[PermitRequest](json.RawMessage(most)))
	assert.NoError(t, errorOf[Binding](json.RawMessage(`{"custodians":["A"],"spec":{"command":["x"],"tasks":1}}`)))
}

func errorOf[T any](raw json.RawMessage) error {
	_, err := Decode[T](raw)
	return err
}

// A response that cannot be used is an error, and the caller sees nothing of it.
func TestResponsesAreChecked(t *testing.T) {
	d := newDaemon()
	var asked bool
	Blob.Ask(d.Exchange, Daemon(other), PieceOf{Path: "x"}, func(f Fragment, err error) {
		assert.ErrorIs(t, err, ErrUnreadable)
		assert.Zero(t, f)
		asked = true
	})
	d.hear(other, call{ID: 1, Body: json.RawMessage(`{"data":"","size":-1}`)})
	assert.True(t, asked)
	assert.Empty(t, d.unreadable, "a daemon of another build is no enemy")
}

// An unreadable request ends the connection, and reaches no handler.
func TestRequestsAreChecked(t *testing.T) {
	d := newDaemon()
	Blob.AnswerBeside(d.Exchange, func(protocol.NodeID, PieceOf) (func() (Fragment, error), error) {
		t.Error("the request cannot be used")
		return nil, nil
	})
	d.hear(asker, call{ID: 1, Method: Blob.Name(), Body: json.RawMessage(`{"digest":"0"}`)})
	d.Receive(asker, []byte("no JSON"))
	assert.Equal(t, []protocol.NodeID{asker, asker}, d.unreadable)
	assert.Empty(t, d.sent)
}

// The names of calls are part of the wire format: they change with its version only. Contents and
// long lists travel beside the messages of the cores.
func TestNamesOfCalls(t *testing.T) {
	assert.Equal(t, strings.Fields(`awaits blob cancel catchup client content departed deposit do drain echo elements ended
		erase events examine farewell find forget gone halt holds keep life list load loss lost order outcome output owns
		permit printed queues rank regrid report takes unfit`), Names())
	var bulk []string
	for _, name := range Names() {
		if channelOf(name) != channelOf("") {
			bulk = append(bulk, name)
		}
	}
	assert.Equal(t, []string{"blob", "content", "elements", "events", "list", "printed"}, bulk)
}

// Each call of the table is declared once, with a handler at most.
func TestCallsAreDeclaredOnce(t *testing.T) {
	assert.Panics(t, func() { declare[None, None]("echo") })
	d := newDaemon()
	assert.Equal(t, Names(), d.Unanswered())
	Owns.Answer(d.Exchange, func(protocol.NodeID, uint32) (bool, error) { return false, nil })
	assert.NotContains(t, d.Unanswered(), "owns")
	assert.Len(t, d.Unanswered(), len(Names())-1)
	assert.Panics(t, func() { Owns.Answer(d.Exchange, func(protocol.NodeID, uint32) (bool, error) { return true, nil }) })
}

// The table is written down once: no other file of the package declares a call.
func TestTheTableIsOneFile(t *testing.T) {
	text, err := os.ReadFile("table.go")
	require.NoError(t, err)
	declared := strings.Count(string(text), `= declare`)
	assert.Equal(t, len(Names()), declared)
	assert.True(t, slices.IsSorted(Names()))
}
