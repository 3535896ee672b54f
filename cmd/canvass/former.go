package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// former are the commands that have other names now. The former ones still work in this release.
var former = map[string][]string{
	"grid": {"lab"}, "nodes": {"node", "status"}, "custody": {"node"},
	"init": {"node", "init"}, "token": {"node", "token"}, "join": {"node", "join"}, "agent": {"node", "agent"},
	"drain": {"node", "drain"}, "repair": {"node", "repair"}, "metrics": {"node", "metrics"},
	"flight": {"node", "flight"},
}

// current puts the present name of a command in the place of a former one, and returns a note about
// that, unless a shell completes the command line.
func current(args []string) (now []string, note string) {
	at := 0
	completes := len(args) > 0 && slices.Contains([]string{
		cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd,
	}, args[0])
	if completes || len(args) > 0 && args[0] == "help" {
		at = 1
	}
	if at >= len(args) || former[args[at]] == nil || completes && len(args) == 2 { // a word that is not whole yet
		return args, ""
	}
	name := former[args[at]]
	if !completes {
		note = fmt.Sprintf("canvass %s is called canvass %s now; the old name works until the next release",
			args[at], strings.Join(name, " "))
	}
	return slices.Concat(args[:at], name, args[at+1:]), note
}
