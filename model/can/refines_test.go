package can

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/checker"
	"github.com/canvass-grid/canvass/model/abstract"
	"github.com/canvass-grid/canvass/model/contract"
	"github.com/canvass-grid/canvass/protocol/can"
)

// Models of the default run take every step of the abstract machine, and all the steps that the
// machine allows at once.
func TestEachAbstractStepIsTaken(t *testing.T) {
	seen := map[string]bool{}
	var lock sync.Mutex
	note := contract.Rule[transition]{Name: "Notes", Broken: func(s *transition) string {
		actions, err := abstract.ExplainCAN(abstractStep(s))
		lock.Lock()
		defer lock.Unlock()
		for _, action := range append(actions, strings.Join(actions, " ")) {
			seen[action] = err == nil
		}
		return ""
	}}
	for _, list := range [][]scenario{crashes(), limits(), adequacy()} {
		for _, s := range list {
			if s.deep {
				continue
			}
			sys, cfg := s.corrected(), s.config()
			sys.Core = contract.Watch(&can.Core{Config: cfg}, []contract.Rule[transition]{note}, func(s taken) transition {
				return transition{cfg: &cfg, in: s.In, before: s.Before, after: s.After, out: s.Out}
			})
			m, err := sys.Compile()
			require.NoError(t, err)
			_, err = checker.Check(context.Background(), m.Model(), checker.Options{
				Workers: 1, MaxStates: 2000, ContinueAfterViolation: true,
			})
			require.NoError(t, err)
		}
	}
	for _, action := range slices.Concat(abstract.CANActions, abstract.CANAtOnce()) {
		assert.True(t, seen[action], action)
	}
}

// A step that the machine does not allow breaks the rule, which names the abstract step.
func TestRefinesNamesTheStep(t *testing.T) {
	s := joinOfB(t)["promise"]
	s.after.Promise = can.Promise{Proposer: id("A"), Round: 7, Kind: can.Split, Subject: id("B")}
	assert.Contains(t, refinesBroken(s), "no step Promise: no such round is proposed to the node; before: ")
}
