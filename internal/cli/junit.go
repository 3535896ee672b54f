package cli

import (
	"encoding/xml"
	"io"
	"strconv"

	"github.com/canvass-grid/canvass/internal/fileio"
)

// JUnit is a report that CI systems read: suites of cases.
type JUnit struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	counts
	Time   string        `xml:"time,attr"`
	Suites []*JUnitSuite `xml:"testsuite"`

	seconds float64
}

// counts is how many cases there are, and how many of them did not pass.
type counts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

// JUnitSuite has the cases of one model or scenario.
type JUnitSuite struct {
	Name string `xml:"name,attr"`
	counts
	Time  string      `xml:"time,attr"`
	Cases []JUnitCase `xml:"testcase"`
}

// JUnitCase is a case of a suite. It has passed if it has no message.
type JUnitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *JUnitMessage `xml:"failure"`
	Error   *JUnitMessage `xml:"error"`
	Skipped *JUnitMessage `xml:"skipped"`
}

// JUnitMessage says why a case did not pass.
type JUnitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
}

// Suite adds the suite of a model or a scenario, which took the given time.
func (j *JUnit) Suite(name string, seconds float64, cases ...JUnitCase) {
	s := &JUnitSuite{Name: name, Time: xmlSeconds(seconds), Cases: cases}
	for i := range cases {
		cases[i].Class = name
		s.count(&cases[i])
	}
	j.Suites = append(j.Suites, s)
	j.Tests, j.Failures = j.Tests+s.Tests, j.Failures+s.Failures
	j.Errors, j.Skipped = j.Errors+s.Errors, j.Skipped+s.Skipped
	j.seconds += seconds
}

func (c *counts) count(one *JUnitCase) {
	c.Tests++
	switch {
	case one.Failure != nil:
		c.Failures++
	case one.Error != nil:
		c.Errors++
	case one.Skipped != nil:
		c.Skipped++
	}
}

// Write writes the report to a file.
func (j *JUnit) Write(path string) error {
	j.Time = xmlSeconds(j.seconds)
	return fileio.WriteIn(path, func(w io.Writer) error {
		if _, err := io.WriteString(w, xml.Header); err != nil {
			return err
		}
		enc := xml.NewEncoder(w)
		enc.Indent("", "  ")
		if err := enc.Encode(j); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n")
		return err
	})
}

func xmlSeconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
