package api

import (
	"net/http"
	"net/http/pprof"
)

// operations serves monitoring requests: probes, metrics, and the profiles of the Go runtime.
func operations(g Grid, mux *http.ServeMux) {
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, r *http.Request) {
		probe(g, w, r, func(h Health) bool { return h.Live })
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		probe(g, w, r, func(h Health) bool { return h.Ready })
	})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) { metrics(g, w, r) })
	mux.HandleFunc("GET /debug/pprof/", bounded(pprof.Index))
	mux.HandleFunc("GET /debug/pprof/profile", bounded(pprof.Profile))
	mux.HandleFunc("GET /debug/pprof/trace", bounded(pprof.Trace))
}

// profileSeconds is for how long a profile is taken at most.
const profileSeconds = 300

// bounded refuses a profile that would be taken for longer.
func bounded(take http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if text := r.FormValue("seconds"); text != "" {
			if _, err := secondsOf("seconds", text, profileSeconds); err != nil {
				answer(w, nil, err)
				return
			}
		}
		take(w, r)
	}
}
