package jobs_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/canvass-grid/canvass/daemon/jobs"
)

const render = `name = "render"
command = ["./render", "--frame", "{index}"]
tasks = 4
array = "0-99%10"
env = { THREADS = "4", A = "b" }
inputs = [ { from = "scene/**", to = "scene/" }, { from = "tool", to = "bin/tool", mode = "0755" } ]
outputs = ["out/**"]
timeout = "2h"
deadline = "12h"
retries = { on-exit = 2, codes = [1, 75], backoff = "10s..5m" }
restart-limit = 0
kill = { signal = "SIGINT", grace = "10s" }
stdout-limit = "4MiB"
hold = true
`

func TestAJobFile(t *testing.T) {
	job, err := jobs.ParseFile(render)
	require.NoError(t, err)
	none := 0
	assert.Equal(t, jobs.Spec{
		Name: "render", Command: []string{"./render", "--frame", "{index}"}, Tasks: 4, Env: []string{"A=b", "THREADS=4"},
		Outputs: []string{"out/**"}, Timeout: 2 * time.Hour, Deadline: 12 * time.Hour, RestartLimit: &none,
		Retries:     jobs.Retries{OnExit: 2, Codes: []int{1, 75}, BackoffMin: 10 * time.Second, BackoffMax: 5 * time.Minute},
		Kill:        jobs.Kill{Signal: "INT", Grace: 10 * time.Second},
		OutputLimit: 4 << 20, Hold: true, Array: &jobs.Array{Ranges: []jobs.Range{{First: 0, Last: 99}}, AtOnce: 10},
	}, job.Spec)
	assert.Equal(t, []jobs.Source{
		{From: "scene/**", To: "scene/", Line: 6}, {From: "tool", To: "bin/tool", Mode: 0o755, Line: 6},
	}, job.Files)
}

func TestTheJobFileOfTheDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/daemon.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```toml\n")
	require.True(t, found)
	file, _, _ := strings.Cut(rest, "```")
	job, err := jobs.ParseFile(file)
	require.NoError(t, err)
	assert.Equal(t, "0-99%10", job.Spec.Array.String())
	assert.Len(t, job.Files, 2)
}

func TestAnInputHasTheLineThatNamesIt(t *testing.T) {
	text := "command = [\"true\"] # from data.csv\n" +
		"inputs = [\n{ from = \"old/data.csv\", to = \"a\" },\n{ from = 'data.csv' },\n" +
		"{ \"from\" = \"*.txt\" } ]\n"
	job, err := jobs.ParseFile(text)
	require.NoError(t, err)
	var lines []int
	for _, s := range job.Files {
		lines = append(lines, s.Line)
	}
	assert.Equal(t, []int{3, 4, 5}, lines)
}

func TestMistakesInJobFilesAreNamedWithTheirLine(t *testing.T) {
	begin := "command = [\"true\"]\n\n"
	for _, test := range []struct{ text, want string }{
		{begin + `taks = 3`, `line 3: unknown key "taks"; did you mean "tasks"?`},
		{begin + `retries = { on-exti = 2 }`, `line 3: unknown key "retries.on-exti"; did you mean "on-exit"?`},
		{begin + "[kill]\nsignal = \"TERM\"\ncolour = 1", `line 5: unknown key "kill.colour"`},
		{begin + `requires = { cpus = 4 }`, `line 3: key "requires" is not supported yet: jobs cannot say yet`},
		{begin + `inputs = [ { blob = "00", to = "x" } ]`, `line 3: key "inputs.blob" is not supported yet: name a file`},
		{begin + `tasks = "four"`, `line 3: tasks must be a whole number`},
		{begin + `tasks = [1]`, `line 3: tasks must be a whole number`},
		{begin + `tasks = { a = 1 }`, `line 3: tasks must be a whole number`},
		{begin + `name = ["x"]`, `line 3: name must be a text in quotes`},
		{begin + `name = 2020-01-01`, `line 3: name must be a text in quotes`},
		{begin + `kill = [1]`, `line 3: kill must be a table, as in { name = value }`},
		{begin + `outputs = { a = 1 }`, `line 3: outputs must be a list of texts: ["out/**"]`},
		{begin + `timeout = [1]`, `line 3: timeout must be a time: "90s"`},
		{begin + `deadline = { a = 1 }`, `line 3: deadline must be a time: "2h"`},
		{begin + `kill = { grace = [1] }`, `line 3: kill.grace must be a time: "10s"`},
		{begin + `retries = { backoff = ["1s", "2s"] }`, `line 3: retries.backoff must be a pair of times: "10s..5m"`},
		{begin + `stdout-limit = [1]`, `line 3: stdout-limit must be a size: "64MiB"`},
		{begin + `hold = 1`, `line 3: hold must be true or false`},
		{begin + `env = { A = 1 }`, `line 3: env.A must be a text in quotes`},
		{begin + `env = [ "A=1" ]`, `line 3: env must be a table, as in { name = value }`},
		{begin + `kill = "TERM"`, `line 3: kill must be a table, as in { name = value }`},
		{begin + `inputs = [ "x" ]`, `line 3: inputs must be a list of tables: [ { from = "data.csv" } ]`},
		{begin + `retries = { codes = 75 }`, `line 3: retries.codes must be a list of numbers: [1, 75]`},
		{`command = "sleep 1"`, `line 1: command must be a list of texts: ["sleep", "1"]`},
		{`command = ["sleep", 1]`, `line 1: command must be a list of texts: ["sleep", "1"]`},
		{begin + `env = { "A=B" = "c" }`, `line 3: environment with the name "A=B"; want one without =`},
		{begin + `env = { "" = "c" }`, `line 3: environment "=c"; want NAME=VALUE`},
		{begin + `env = { CANVASS_RANK = "9" }`, `line 3: environment CANVASS_RANK, which the grid sets`},
		{begin + `timeout = "2 fortnights"`, `"2 fortnights" is no time`},
		{begin + `stdout-limit = "64MB"`, `"64MB" is no size`},
		{begin + `stdout-limit = "4294967295TiB"`, `more than 1TiB`},
		{begin + `retries = { on-exit = 1, backoff = "soon" }`, `"soon" is no pair of times`},
		{begin + `retries = { on-exit = 1, backoff = "5m..10s" }`, `line 3: a back-off of 5m0s..10s`},
		{begin + `kill = { signal = "STOP" }`, `line 3: signal "STOP"; want one of TERM`},
		{begin + `array = "9-0"`, `line 3: array: "9-0" is no`},
		{begin + `array = "0-3,2"`, `line 3: an array with the index 2 twice`},
		{begin + `inputs = [ { to = "x" } ]`, `line 3: an input without from`},
		{begin + `outputs = ["../x"]`, `line 3: pattern "../x"`},
		{`tasks = 1`, `no command: the job file does not set the key command`},
		{begin + `tasks = 0`, `line 3: tasks is 0; a job has one task at least`},
		{begin + `tasks = 99999999999999999999`, `line 3: `},
		{begin + `restart-limit = -9223372036854775809`, `line 3: `},
		{begin + `stdout-limit = "KiB"`, `"KiB" is no size such as 4096 or 64MiB`},
		{begin + "[requires]\ncpus = 4", `line 3: key "requires" is not supported yet: jobs cannot say yet`},
		{begin + "env = { cpus = \"4\" }\nrequires.cpus = 4", `line 4: key "requires" is not supported yet`},
		{begin + `"\u0061x" = 4`, `line 1: unknown key "ax"`}, // the line is not found
		{begin + `inputs = [ { from = "a", mode = "9" } ]`, `line 3: input "a" has mode "9"; want one such as 0755`},
		{begin + `inputs = [ { from = "[" } ]`, `line 3: input "[": syntax error in pattern`},
		{`command = [`, `line 1: `},
	} {
		_, err := jobs.ParseFile(test.text)
		require.ErrorIs(t, err, jobs.ErrSpec, test.text)
		assert.ErrorContains(t, err, test.want)
	}
}

// The key that was probably meant is named, if one differs in at most two letters.
func TestMistypedKeys(t *testing.T) {
	for key, want := range map[string]string{
		"nam": "name", "ame": "name", "nmae": "name", "xxname": "name", "xxxname": "", "namexxx": "", "nxxxame": "",
		"hodl": "hold", "oldh": "hold", "h": "", "ld": "hold", "old": "hold", "lo": "", "ki": "kill", "k": "", "e": "env",
		"tmeot": "timeout", "tmet": "", "oututs": "outputs", "inputss": "inputs", "dedline": "deadline", "colour": "",
	} {
		_, err := jobs.ParseFile("command = [\"true\"]\n" + key + " = 1\n")
		text := "the job cannot be taken: line 2: unknown key \"" + key + "\""
		if want != "" {
			text += "; did you mean \"" + want + "\"?"
		}
		assert.EqualError(t, err, text)
	}
}

func TestSizesInJobFiles(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "4096": 4096, "7B": 7, "3KiB": 3 << 10, "64MiB": 64 << 20, "2GiB": 2 << 30,
		"1TiB": 1 << 40, "1024GiB": 1 << 40,
	} {
		n, err := jobs.ParseSize(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, n, text)
	}
	for text, want := range map[string]string{
		"": `"" is no size`, "KiB": `"KiB" is no size`, "1KB": `"1KB" is no size`, "4294967296": `"4294967296" is no size`,
		"-1": `"-1" is no size`, "1025GiB": `"1025GiB" is more than 1TiB`, "2TiB": `"2TiB" is more than 1TiB`,
	} {
		n, err := jobs.ParseSize(text)
		require.ErrorContains(t, err, want)
		assert.Zero(t, n)
	}
}

func TestTheLargestJobFile(t *testing.T) {
	text := "command = [\"true\"]\nstdin = \"in.txt\"\ninputs = [ { from = \"a\\u0062\" } ]\n#"
	text += strings.Repeat("x", jobs.FileSizeLimit-len(text))
	job, err := jobs.ParseFile(text)
	require.NoError(t, err)
	assert.Equal(t, "in.txt", job.Stdin)
	assert.Equal(t, []jobs.Source{{From: "ab", Line: 3}}, job.Files, "the line of all inputs")
	_, err = jobs.ParseFile(text + "x")
	require.ErrorContains(t, err, "the job file has 131073 bytes; 131072 are the limit")
}

func FuzzParseFile(f *testing.F) {
	f.Add(render)
	f.Add("command = [\"true\"]\n[retries]\nbackoff = \"1s\"\n")
	f.Add("inputs = [{from = \"a/**\", mode = \"9\"}]")
	f.Fuzz(func(t *testing.T, text string) {
		job, err := jobs.ParseFile(text)
		if err != nil {
			require.ErrorIs(t, err, jobs.ErrSpec)
			return
		}
		require.NoError(t, job.Spec.Validate(), "the result is checked")
	})
}
