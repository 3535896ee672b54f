package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/canvass-grid/canvass/daemon/blobs"
	"github.com/canvass-grid/canvass/daemon/disk"
	"github.com/canvass-grid/canvass/daemon/jobs"
)

// problem is the body of an error.
type problem struct {
	Error string `json:"error"`
	Kind  string `json:"kind,omitempty"`
}

// kinds are the errors that keep their identity, and their status of HTTP.
var kinds = []struct {
	word   string
	err    error
	status int
}{
	{"unknown", jobs.ErrUnknown, http.StatusNotFound},
	{"ambiguous", jobs.ErrAmbiguous, http.StatusConflict},
	{"out-of-reach", jobs.ErrOutOfReach, http.StatusServiceUnavailable},
	{"spec", jobs.ErrSpec, http.StatusBadRequest},
	{"over", jobs.ErrOver, http.StatusConflict},
	{"runs", jobs.ErrRuns, http.StatusConflict},
	{"kept", jobs.ErrKept, http.StatusConflict},
	{"lost", blobs.ErrLost, http.StatusGone},
	{"corrupt", blobs.ErrCorrupt, http.StatusGone},
	{"large", blobs.ErrLarge, http.StatusRequestEntityTooLarge},
	{"busy", jobs.ErrBusy, http.StatusServiceUnavailable},
	{"stopped", ErrStopped, http.StatusServiceUnavailable},
	{"storage", disk.ErrStorage, http.StatusInsufficientStorage},
	{"cursor", ErrCursor, http.StatusGone},
	{"refused", ErrRefused, http.StatusForbidden},
}

var (
	// ErrStopped says that the daemon ends.
	ErrStopped = errors.New("the daemon is stopping")

	// ErrCursor says that the events after a cursor are no longer kept, or that this incarnation of
	// the daemon has not come to it.
	ErrCursor = errors.New("no events are kept from this cursor on")

	// ErrRefused says that a process may not ask this daemon, or that a daemon is not to be asked.
	ErrRefused = errors.New("not for this user")
)

// Handler serves a grid.
func Handler(g Grid) http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, f func(*http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, BodyLimit)
			value, err := f(r)
			answer(w, value, err)
		})
	}
	handle("POST /v1/jobs", func(r *http.Request) (any, error) {
		var s Submission
		d := json.NewDecoder(r.Body)
		d.DisallowUnknownFields()
		if err := d.Decode(&s); err != nil {
			return nil, fmt.Errorf("%w: %w", jobs.ErrSpec, err)
		}
		return g.Submit(r.Context(), s)
	})
	handle("GET /v1/jobs", func(r *http.Request) (any, error) { return list(g, r) })
	handle("GET /v1/jobs/{id}", func(r *http.Request) (any, error) { return wait(g, r) })
	for word, f := range map[string]func(context.Context, string) (*jobs.Record, error){
		"cancel": g.Cancel, "cancel-later": g.CancelLater, "hold": g.Hold, "release": g.Release, "remove": g.Remove,
	} {
		handle("POST /v1/jobs/{id}/"+word, func(r *http.Request) (any, error) { return f(r.Context(), r.PathValue("id")) })
	}
	handle("POST /v1/jobs/{id}/accept-loss", func(r *http.Request) (any, error) {
		return g.AcceptLoss(r.Context(), r.PathValue("id"), r.URL.Query().Get("lost"))
	})
	handle("GET /v1/jobs/{id}/elements", func(r *http.Request) (any, error) {
		sizes := false
		if err := flags(r.URL.Query(), map[string]*bool{"sizes": &sizes}); err != nil {
			return nil, err
		}
		return g.Elements(r.Context(), r.PathValue("id"), sizes)
	})
	mux.HandleFunc("POST /v1/blobs", func(w http.ResponseWriter, r *http.Request) {
		value, err := g.Put(r.Context(), http.MaxBytesReader(w, r.Body, jobs.FileLimit+1))
		answer(w, value, err)
	})
	mux.HandleFunc("GET /v1/blobs/{digest}", func(w http.ResponseWriter, r *http.Request) { content(g, w, r) })
	handle("POST /v1/drain", func(r *http.Request) (any, error) { return drain(g, r) })
	handle("POST /v1/regrid", func(r *http.Request) (any, error) { return struct{}{}, g.Regrid(r.Context()) })
	handle("GET /v1/jobs/{id}/why", func(r *http.Request) (any, error) { return g.Why(r.Context(), r.PathValue("id")) })
	mux.HandleFunc("GET /v1/jobs/{id}/output", func(w http.ResponseWriter, r *http.Request) { output(g, w, r) })
	handle("GET /v1/nodes", func(r *http.Request) (any, error) { return g.Nodes(r.Context()) })
	handle("GET /v1/node", func(r *http.Request) (any, error) { return g.Report(r.Context(), "") })
	handle("GET /v1/nodes/{node}", func(r *http.Request) (any, error) {
		return g.Report(r.Context(), r.PathValue("node"))
	})
	handle("GET /v1/nodes/{node}/events", func(r *http.Request) (any, error) {
		after, err := cursor(r)
		if err != nil {
			return nil, err
		}
		return g.EventsOf(r.Context(), r.PathValue("node"), after)
	})
	handle("POST /v1/tokens", func(r *http.Request) (any, error) {
		var q TokenQuery
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			return nil, fmt.Errorf("%w: %w", jobs.ErrSpec, err)
		}
		return g.Token(r.Context(), q)
	})
	handle("GET /v1/health", func(r *http.Request) (any, error) { return g.Health(r.Context()) })
	operations(g, mux)
	mux.HandleFunc("GET /v1/events", func(w http.ResponseWriter, r *http.Request) { events(g, w, r) })
	return guarded(mux)
}

// guarded serves nothing to a connection that is refused: see Guard.
func guarded(all http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err, refused := r.Context().Value(refusedKey{}).(error); refused {
			answer(w, nil, err)
			return
		}
		all.ServeHTTP(w, r)
	})
}

func answer(w http.ResponseWriter, value any, err error) {
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		p, status := problem{Error: err.Error()}, http.StatusInternalServerError
		for _, k := range kinds {
			if errors.Is(err, k.err) {
				p.Kind, status = k.word, k.status
			}
		}
		w.WriteHeader(status)
		value = p
	}
	_ = json.NewEncoder(w).Encode(value) // the client has gone, or reads it
}

// wait returns a record, if asked when the job has ended.
func wait(g Grid, r *http.Request) (any, error) {
	id := r.PathValue("id")
	text := r.URL.Query().Get("wait")
	if text == "" {
		return g.Job(r.Context(), id)
	}
	seconds, err := secondsOf("wait", text, 3600)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), time.Duration(seconds*float64(time.Second)))
	defer cancel()
	return g.Wait(ctx, id)
}

// secondsOf reads a number of seconds in a query.
func secondsOf(name, text string, most float64) (float64, error) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds >= 0 && seconds <= most) { // NaN is neither
		return 0, fmt.Errorf("%w: %s=%s; want 0 to %.0f seconds", jobs.ErrSpec, name, text, most)
	}
	return seconds, nil
}

// content writes a content as it is.
func content(g Grid, w http.ResponseWriter, r *http.Request) {
	digest := r.PathValue("digest")
	if !blobs.IsDigest(digest) {
		answer(w, nil, fmt.Errorf("%w: %q is no digest", jobs.ErrSpec, digest))
		return
	}
	f, err := g.Open(r.Context(), digest)
	if err != nil {
		answer(w, nil, err)
		return
	}
	defer f.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	_, _ = io.Copy(w, f) // the client compares the digest
}

func drain(g Grid, r *http.Request) (any, error) {
	v := r.URL.Query()
	q := DrainQuery{Node: v.Get("node")}
	var err error
	if text := v.Get("limit"); text != "" {
		if q.Limit, err = time.ParseDuration(text); err != nil || q.Limit < 0 {
			return nil, fmt.Errorf("%w: limit=%s is no time", jobs.ErrSpec, text)
		}
	}
	if err := flags(v, map[string]*bool{"off": &q.Off, "yes": &q.Yes}); err != nil {
		return nil, err
	}
	return g.Drain(r.Context(), q)
}

// flags reads the values that are true or false.
func flags(v url.Values, all map[string]*bool) (err error) {
	for word, to := range all {
		if text := v.Get(word); text != "" {
			if *to, err = strconv.ParseBool(text); err != nil {
				return fmt.Errorf("%w: %s=%s; want true or false", jobs.ErrSpec, word, text)
			}
		}
	}
	return nil
}

func list(g Grid, r *http.Request) (any, error) {
	v := r.URL.Query()
	q := ListQuery{Node: v.Get("node"), Key: v.Get("key"), User: v.Get("user")}
	if err := flags(v, map[string]*bool{"only": &q.Only, "whole": &q.Whole}); err != nil {
		return nil, err
	}
	if text := v.Get("since"); text != "" {
		var err error
		if q.Since, err = time.Parse(time.RFC3339Nano, text); err != nil {
			return nil, fmt.Errorf("%w: since=%s; want a time such as 2026-11-29T08:00:00Z", jobs.ErrSpec, text)
		}
	}
	return g.Jobs(r.Context(), q)
}

// sizeHeader has the size of an output of which a part is the body.
const sizeHeader = "Canvass-Size"

// output writes a part of an output as it is. An output that ends early is shorter than announced.
func output(g Grid, w http.ResponseWriter, r *http.Request) {
	q, err := outputQuery(r)
	if err != nil {
		answer(w, nil, err)
		return
	}
	out, err := g.Output(r.Context(), r.PathValue("id"), q)
	if err != nil {
		answer(w, nil, err)
		return
	}
	defer out.Close()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.FormatInt(q.Part(out.Size)-q.Offset, 10))
	w.Header().Set(sizeHeader, strconv.FormatInt(out.Size, 10))
	_, _ = io.CopyBuffer(struct{ io.Writer }{w}, out, make([]byte, copySize)) // the client counts
}

const copySize = 256 << 10

func outputQuery(r *http.Request) (OutputQuery, error) {
	v := r.URL.Query()
	q := OutputQuery{Attempt: -1, Stream: v.Get("stream")}
	for _, n := range []struct {
		name string
		to   *int
	}{{"attempt", &q.Attempt}, {"rank", &q.Rank}} {
		if text := v.Get(n.name); text != "" {
			var err error
			if *n.to, err = strconv.Atoi(text); err != nil {
				return q, fmt.Errorf("%w: %s=%s is no number", jobs.ErrSpec, n.name, text)
			}
		}
	}
	for _, n := range []struct {
		name string
		to   *int64
	}{{"offset", &q.Offset}, {"most", &q.Most}} {
		if text := v.Get(n.name); text != "" {
			var err error
			if *n.to, err = strconv.ParseInt(text, 10, 64); err != nil || *n.to < 0 || *n.to > math.MaxInt64/2 {
				return q, fmt.Errorf("%w: %s=%s is no number from 0", jobs.ErrSpec, n.name, text)
			}
		}
	}
	return q, nil
}

// probe answers with the health, and with 503 if something does not hold.
func probe(g Grid, w http.ResponseWriter, r *http.Request, holds func(Health) bool) {
	h, err := g.Health(r.Context())
	if err == nil && !holds(h) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	answer(w, h, err)
}

// metrics writes the metrics as text.
func metrics(g Grid, w http.ResponseWriter, r *http.Request) {
	text, err := g.Metrics(r.Context())
	if err != nil {
		answer(w, nil, err)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, text) // the client has gone, or reads it
}

// cursor is the event after which a request wants to read; 0 if it names none.
func cursor(r *http.Request) (uint64, error) {
	text := r.URL.Query().Get("after")
	if text == "" {
		return 0, nil
	}
	after, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: after=%s is no number", jobs.ErrSpec, text)
	}
	return after, nil
}

// events writes a line for each event.
func events(g Grid, w http.ResponseWriter, r *http.Request) {
	after, err := cursor(r)
	if err != nil {
		answer(w, nil, err)
		return
	}
	follow := r.URL.Query().Get("follow") != ""
	out := http.NewResponseController(w)
	encoder := json.NewEncoder(w)
	for first := true; ; first = false {
		some, err := g.Events(r.Context(), after, follow)
		if err != nil {
			if first {
				answer(w, nil, err)
			}
			return
		}
		for _, e := range some {
			if encoder.Encode(e) != nil {
				return
			}
			after = e.Cursor
		}
		if !follow || out.Flush() != nil {
			return
		}
	}
}
