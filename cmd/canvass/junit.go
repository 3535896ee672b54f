package main

import (
	"encoding/xml"
	"io"
	"strconv"

	"github.com/canvass-grid/canvass/internal/wholefile"
)

// junit writes a JUnit report, which CI systems read: a suite for each model, a case for each
// property.
type junit struct{ path string }

type junitRun struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
}

func (j *junit) result(*result) error { return nil }

func (j *junit) end(all []*result) error {
	run := junitRun{Name: "canvass check"}
	total := 0.0
	for _, r := range all {
		s := r.suite()
		run.Suites = append(run.Suites, s)
		run.Tests += s.Tests
		run.Failures += s.Failures
		run.Errors += s.Errors
		run.Skipped += s.Skipped
		if r.report != nil {
			total += r.report.Elapsed.Seconds()
		}
	}
	run.Time = xmlSeconds(total)
	return wholefile.In(j.path, func(w io.Writer) error {
		if _, err := io.WriteString(w, xml.Header); err != nil {
			return err
		}
		enc := xml.NewEncoder(w)
		enc.Indent("", "  ")
		if err := enc.Encode(run); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n")
		return err
	})
}

func xmlSeconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }

func (r *result) suite() junitSuite {
	s := junitSuite{Name: r.info.Name, Time: xmlSeconds(0)}
	if r.report != nil {
		s.Time = xmlSeconds(r.report.Elapsed.Seconds())
	}
	for i := range r.findings {
		s.add(r.findings[i].testcase(r))
	}
	if r.err != nil {
		s.add(junitCase{Class: r.info.Name, Name: "check", Error: &junitMessage{r.err.Error(), "error"}})
	} else if r.report == nil {
		s.add(junitCase{Class: r.info.Name, Name: "check", Skipped: &junitMessage{Message: "not run"}})
	}
	return s
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

// testcase is a case that passes only if the verdict is the expected one. An undecided property is
// an error, not a pass.
func (f *finding) testcase(r *result) junitCase {
	c := junitCase{Class: r.info.Name, Name: f.Property.Name}
	switch f.standing() {
	case unexpected:
		c.Failure = &junitMessage{f.violation(), f.Property.Shape.String()}
	case missing:
		c.Failure = &junitMessage{f.name() + ": expected to be violated, but holds" + because(f.why), "expectation"}
	case untested:
		c.Failure = &junitMessage{f.untested(), "expectation"}
	case undecided:
		c.Error = &junitMessage{f.name() + ": not decided; " + r.stop(), "inconclusive"}
	}
	return c
}
