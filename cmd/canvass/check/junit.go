package check

import "github.com/canvass-grid/canvass/internal/cli"

// junit writes a JUnit report, which CI systems read: a suite for each model, a case for each
// property.
type junit struct{ path string }

func (j *junit) result(*result) error { return nil }

func (j *junit) end(all []*result) error {
	report := cli.JUnit{Name: "canvass check"}
	for _, r := range all {
		seconds := 0.0
		if r.report != nil {
			seconds = r.report.Elapsed.Seconds()
		}
		report.Suite(r.info.Name, seconds, r.testcases()...)
	}
	return report.Write(j.path)
}

func (r *result) testcases() (cases []cli.JUnitCase) {
	for i := range r.findings {
		cases = append(cases, r.findings[i].testcase(r))
	}
	switch {
	case r.err != nil:
		return append(cases, cli.JUnitCase{Name: "check", Error: &cli.JUnitMessage{Message: r.err.Error(),
			Type: "error"}})
	case r.report == nil:
		return append(cases, cli.JUnitCase{Name: "check", Skipped: &cli.JUnitMessage{Message: "not run"}})
	}
	return cases
}

// testcase is a case that passes only if the verdict is the expected one. An undecided property is
// an error, not a pass.
func (f *finding) testcase(r *result) cli.JUnitCase {
	c := cli.JUnitCase{Name: f.Property.Name}
	message := func(text, kind string) *cli.JUnitMessage { return &cli.JUnitMessage{Message: text, Type: kind} }
	switch f.standing() {
	case unexpected:
		c.Failure = message(f.violation(), f.Property.Shape.String())
	case missing:
		c.Failure = message(f.name()+": expected to be violated, but holds"+because(f.why), "expectation")
	case untested:
		c.Failure = message(f.untested(), "expectation")
	case undecided:
		c.Error = message(f.name()+": not decided; "+r.stop(), "inconclusive")
	}
	return c
}
