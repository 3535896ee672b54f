package catalog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/model/catalog"
	"github.com/canvass-grid/canvass/traces"
)

// A page explains all messages, timers, commands and events of a run of a model.
func TestWordsExplainRuns(t *testing.T) {
	kinds := map[string]string{
		"deliver": traces.MessageTerm, "duplicate": traces.MessageTerm, "drop": traces.MessageTerm,
		"timeout":       traces.TimerTerm,
		"timeout-early": traces.TimerTerm, "suspect": traces.TimerTerm, "command": traces.CommandTerm,
	}
	for _, m := range catalog.All() {
		info := m.Info()
		require.NotEmpty(t, info.Words, info.Name)
		explained := func(kind, text string) {
			_, ok := traces.Explain(info.Words, kind, text)
			require.True(t, ok, "%s: the %s %q is not explained", info.Name, kind, text)
		}
		machine := m.Machine()
		machine.Reset()
		for step := range 120 {
			enabled := machine.Enabled()
			if len(enabled) == 0 {
				break
			}
			at := step * 7 % len(enabled)
			if kind := kinds[enabled[at].Kind]; kind != "" {
				explained(kind, enabled[at].Text)
			}
			for _, effect := range machine.Take(at) {
				if event, ok := strings.CutPrefix(effect, "event "); ok && !strings.HasPrefix(event, "crash") {
					explained(traces.EventTerm, event)
				}
			}
		}
	}
}
