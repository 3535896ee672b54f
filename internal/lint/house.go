package lint

// House describes a repository to the rules.
type House struct {
	Module string

	Pure        string   // the folder of the pure cores
	PureImports []string // their other permitted imports
	Support     []string // packages for tests: pure code does not include them, and only tests import them

	Integers []string // other folders without floating point

	Arrows    []Arrow
	Aliases   []Alias
	Contracts []string // packages below these folders document guarantees and have an example

	FileLines, FuncLines         int
	TestFileLines, TestFuncLines int
	Methods, Fields              int            // of a type
	PackageFiles                 int            // tests not counted
	Known                        map[string]int // sizes above the limits today, by their name in limits.txt

	CommentColumns, CodeColumns int // how wide a line may be; Markdown is as wide as comments

	ProseShare int // how many lines of prose in 10,000 may read as translated

	Wholes  []string          // folders whose code makes files as a whole or not at all
	Direct  map[string]string // files there that make others directly, and why those need not be whole
	Named   []string          // folders whose code opens files that users name
	Streams []string          // folders whose code does not name the standard streams

	Once []Single // packages that do something in one way for all

	Hosts  []string        // registries that no file may name
	Former map[string]bool // files with former names
}

// Arrow lists which of our packages those in a folder may import. They may always import each
// other. The longest folder that holds a package decides.
type Arrow struct {
	Folder string
	May    []string
}

// Canvass is this repository.
func Canvass() House {
	return House{
		Module: "github.com/canvass-grid/canvass",
		Pure:   "protocol",
		// Each of these computes and does nothing else: no clock, no chance, no input or output, no
		// state that outlives a call. strings is here for the one-line texts of a core (Builder,
		// Join).
		PureImports: []string{
			"cmp", "encoding/binary", "errors", "hash/fnv", "math/bits", "slices", "strconv", "strings",
		},
		// The first has the network and the scripts that the tests of the cores share: it reads
		// files and reports to package testing, and no core or driver runs on it. The tests of the
		// commands share the other one.
		Support:  []string{"protocol/drive/drivetest", "cmd/canvass/commandtest", "scheduler/differ"},
		Integers: []string{"scheduler/central", "scheduler/parallel", "sim/grid"},
		Arrows: []Arrow{
			{"protocol", nil},
			{"checker", []string{"internal/fileio", "internal/share", "internal/blame"}},
			{"protocol/drive/drivetest", []string{"protocol", "internal/blame"}},
			{"checker/internal/fault", nil},
			{"checker/internal/hashfn", nil},
			{"checker/internal/memory", nil},
			{"checker/internal/plain", nil},
			{"checker/internal/statekey", []string{
				"checker/internal/fault", "checker/internal/hashfn", "checker/internal/memory",
			}},
			{"checker/internal/statelog", []string{"checker/internal/memory"}},
			{"checker/internal/stateset", []string{
				"checker/internal/statekey", "checker/internal/fault", "checker/internal/hashfn",
				"checker/internal/memory",
			}},
			{"checker/internal/liveness", []string{"checker/internal/statelog"}},
			{"traces", []string{"protocol", "internal/fileio"}},
			{"model", []string{"checker", "traces", "protocol", "internal/blame", "internal/share"}},
			{"model/abstract", []string{"protocol/."}},
			{"model/linear", []string{"checker", "internal/fileio"}},
			{"sim", []string{
				"model", "checker", "traces", "protocol", "internal/blame", "internal/calendar", "internal/fileio",
			}},
			{"sim/daemon", []string{"sim/.", "daemon", "checker", "traces", "protocol", "internal/calendar"}},
			{"sim/grid", []string{"sim/.", "sim/load", "sim/peer", "scheduler", "protocol"}},
			{"sim/dtm", []string{"sim/.", "model", "checker", "traces", "protocol", "scheduler"}},
			{"sim/refine", []string{"sim/.", "sim/random", "model", "checker", "traces", "protocol"}},
			{"sim/reptask", []string{"sim/.", "sim/random", "model", "checker", "traces", "protocol"}},
			{"scheduler", []string{"protocol", "internal/calendar", "internal/usage", "internal/fileio"}},
			{"examples", []string{"model", "checker", "traces", "protocol"}},
			{"docs", nil},
			// The driver decides nothing and does nothing: its environment is passed in. Each of
			// the other packages does one thing; daemon/node puts them together.
			{"daemon", []string{"protocol", "traces", "internal/fileio"}},
			{"daemon/driver", []string{"protocol"}},
			{"daemon/runner/procs", nil},
			{"daemon/runner/veil", nil},
			{"daemon/runner/shim", []string{"daemon/runner/procs", "daemon/runner/veil", "daemon/verbatim"}},
			{"cmd", []string{
				"daemon", "scheduler", "sim", "model", "checker", "traces", "protocol", "internal/fileio",
				"internal/usage", "internal/cli",
			}},
			{"internal/lint", nil},
			{"internal/cli", []string{"internal/usage", "internal/fileio"}},
			{"internal/usage", nil},
			{"internal/share", nil},
			{"internal/fileio", nil},
			{"internal/blame", nil},
			{"internal/calendar", nil},
			{"model/cores", []string{"internal/blame", "protocol"}},
			{"cmd/canvass/template", nil},
			{"internal/bench", []string{
				"internal/trials", "internal/share", "examples", "scheduler", "sim", "model", "checker", "protocol",
			}},
			{"internal/mutants", []string{"internal/mutation", "internal/share"}},
			{"internal/mutation", []string{"internal/mutants", "sim", "model", "checker"}},
			{"internal/mutation/active", nil},
			{"internal/release", []string{"internal/mutants", "internal/mutation", "sim", "model", "checker", "traces"}},
			{"internal/trials", []string{"internal/mutants", "daemon", "protocol", "model", "checker", "traces"}},
		},
		Aliases: []Alias{
			{Folder: "protocol", Suffix: "core"},
			{Folder: "protocol/published", Whole: "published"},
			{Folder: "model", Suffix: "model"},
			{Folder: "model/catalog", Whole: "models"},
			{Folder: "sim", Suffix: "sim"},
			{Folder: "sim/catalog", Whole: "scenarios"},
		},
		Contracts: []string{"protocol", "model"},
		Wholes: []string{
			"cmd", "daemon", "scheduler", "sim", "model", "checker", "traces", "examples",
			"internal/cli",
		},
		Direct: map[string]string{
			"checker/internal/statelog/spill.go": "states that no longer fit into memory, for this process only",
			"cmd/canvass/check/github.go":        "the runner of GitHub lets each step append to one file",
			"daemon/blobs/store.go":              "it has the content's digest for a name once it is whole",
			"daemon/disk/ballast.go":             "space that is held, with nothing in it",
			"daemon/flight/writer.go":            "a record that grows, and whose reader recognises a part of an entry",
			"daemon/local/grid.go":               "the log of a daemon",
			"daemon/runner/runner_linux.go":      "a lock",
			"daemon/runner/shim/cgroup_linux.go": "a switch of the kernel",
			"daemon/runner/shim/output_linux.go": "the output of a task, as it comes",
			"cmd/canvass/template/template.go":   "a file in a folder that gets its name once it is whole",
			"scheduler/lab/rows.go":              "rows are added as their runs end, and a part of a row is removed",
		},
		Named: []string{
			"cmd", "scheduler", "traces", "daemon/identity", "daemon/host", "daemon/node", "daemon/flight",
			"daemon/config", "daemon/library", "daemon/life", "daemon/tasks", "daemon/observe",
		},
		Streams: []string{"cmd"},
		Once: []Single{{
			Home:  "internal/cli",
			Users: []string{"cmd"},
			Calls: []string{
				"json.Marshal", "json.MarshalIndent", "json.NewEncoder", "xml.Marshal", "xml.MarshalIndent",
				"xml.NewEncoder",
				"tabwriter.NewWriter", "usage.Errorf",
			},
			Names: []string{"Code", "Usagef", "UsageError", "Exactly", "Progress", "JUnitCase", "JUnitSuite"},
			Flags: []string{"json"},
			Except: map[string]string{
				"cmd/canvass/check/checkpoint.go": "the subject of a checkpoint, which only this program reads",
			},
		}, {
			// A program that fills a template keeps every exported method of its types: a tenth of it.
			Home:  "maragu.dev/gomponents",
			Users: []string{"cmd", "daemon", "scheduler", "sim", "model", "checker", "traces", "internal/cli"},
			Calls: []string{"template.New", "template.Must", "template.ParseFS"},
		}},
		FileLines: 500, FuncLines: 70,
		TestFileLines: 800, TestFuncLines: 120,
		Methods: 40, Fields: 30,
		PackageFiles:   25,
		Known:          exceptions(limits).sizes(),
		CommentColumns: 100, CodeColumns: 120,
		ProseShare: 85,
		Former:     map[string]bool{"CHANGELOG.md": true, "cmd/canvass/former.go": true},
		// In two pieces each, since this file keeps the rule too.
		Hosts: []string{"proxy." + "golang.org", "registry." + "npmjs.org", "deb." + "debian.org"},
	}
}
