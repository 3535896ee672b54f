package api

import (
	"net/http"
	"net/http/pprof"
)

// profiles serves what the runtime of Go knows of the daemon: where its time and memory go.
func profiles(mux *http.ServeMux) {
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
}
