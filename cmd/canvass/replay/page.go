package replay

import (
	"bytes"
	"fmt"

	"github.com/canvass-grid/canvass/internal/fileio"
	"github.com/canvass-grid/canvass/model"
	"github.com/canvass-grid/canvass/traces"
)

// pageOf returns the part of a page about the model, apart from the run itself.
func pageOf(system model.Checkable, h *traces.Header) *traces.Page {
	info := system.Info()
	page := &traces.Page{Model: info.Doc, Property: h.Description, Words: info.Words}
	if p, ok := propertyOf(system, h.Property); ok {
		page.Property = p.Doc
	}
	for _, e := range info.Expected {
		if e.Property == h.Property && e.Violated {
			page.Why = e.Why
		}
	}
	return page
}

// page writes the run as a page.
func (r *replay) page(t *traces.Trace, p *traces.Page) error {
	var b bytes.Buffer
	if err := traces.WriteHTML(&b, t, *p); err != nil {
		return err
	}
	if r.html == "-" {
		_, err := b.WriteTo(r.tool.Stdout.Raw())
		return err
	}
	if err := fileio.WriteText(r.html, b.Bytes()); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	fmt.Fprintf(r.tool.Stderr, "canvass: wrote %s; open it in a browser\n", r.html)
	return nil
}

// compare compares the header of the trace with the model. With --verbose it notes descriptions
// that have changed.
func (r *replay) compare(system model.Checkable, h *traces.Header) error {
	note, err := compare(system, h)
	if note != "" && r.verbose {
		fmt.Fprintf(r.tool.Stderr, "canvass: note: %s: %s\n", r.file, note)
	}
	return err
}
