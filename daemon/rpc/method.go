package rpc

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/canvass-grid/canvass/daemon/transport"
	"github.com/canvass-grid/canvass/protocol"
)

// Method is a call between daemons, with the types of its request and its response.
type Method[Request, Response any] struct{ name string }

// declared is the table of all calls, by name. It is complete once the package is initialised.
var declared = map[string]declaration{}

type declaration struct {
	channel           transport.Channel // of the call and its response: contents must not delay the cores
	request, response reflect.Type
}

func declare[Request, Response any](name string) Method[Request, Response] {
	return declareOn[Request, Response](name, transport.ChannelCore)
}

// declareBulk declares a call whose responses can be long.
func declareBulk[Request, Response any](name string) Method[Request, Response] {
	return declareOn[Request, Response](name, transport.ChannelBulk)
}

func declareOn[Request, Response any](name string, channel transport.Channel) Method[Request, Response] {
	if _, twice := declared[name]; twice {
		panic("two calls are named " + name)
	}
	declared[name] = declaration{channel, reflect.TypeFor[Request](), reflect.TypeFor[Response]()}
	return Method[Request, Response]{name}
}

// Names are the names of all calls, sorted.
func Names() []string { return slices.Sorted(maps.Keys(declared)) }

// channelOf is the channel of a call, and of the error about an unknown call.
func channelOf(name string) transport.Channel {
	if d, known := declared[name]; known {
		return d.channel
	}
	return transport.ChannelCore
}

// Name is the name of the call in frames.
func (m Method[Request, Response]) Name() string { return m.name }

// Ask asks. Done, unless it is nil, is called once, on the goroutine of the exchange, unless the
// answer is no longer wanted. With an error the response is the zero value.
func (m Method[Request, Response]) Ask(x *Exchange, to Target, request Request, done func(Response, error)) {
	x.put(to, m.name, encode(request), func(raw json.RawMessage, err error) {
		if done == nil {
			return
		}
		var response Response
		if err == nil {
			response, err = m.response(raw)
		}
		done(response, err)
	})
}

// response reads the response of another daemon.
func (m Method[Request, Response]) response(raw json.RawMessage) (response Response, err error) {
	if _, none := any(response).(None); none {
		return response, nil
	}
	return Decode[Response](raw)
}

// Answer registers the handler of a call.
func (m Method[Request, Response]) Answer(x *Exchange, f func(protocol.NodeID, Request) (Response, error)) {
	m.handle(x, func(from protocol.NodeID, request Request) (any, error) { return f(from, request) })
}

// AnswerBeside registers a handler that reads files: the function that it returns runs beside the
// goroutine of the exchange, which must not wait for a disk, or for a named pipe in place of a
// file.
func (m Method[Request, Response]) AnswerBeside(
	x *Exchange, f func(protocol.NodeID, Request) (func() (Response, error), error),
) {
	m.handle(x, func(from protocol.NodeID, request Request) (any, error) {
		read, err := f(from, request)
		return beside(func() (any, error) { return read() }), err
	})
}

func (m Method[Request, Response]) handle(x *Exchange, f func(protocol.NodeID, Request) (any, error)) {
	if _, twice := x.handlers[m.name]; twice {
		panic(fmt.Sprintf("two handlers of %s", m.name))
	}
	x.handlers[m.name] = func(from protocol.NodeID, raw json.RawMessage) (any, error) {
		request, err := Decode[Request](raw)
		if err != nil {
			return nil, err
		}
		return f(from, request)
	}
}

// handler answers a call.
type handler func(from protocol.NodeID, request json.RawMessage) (any, error)

// beside is the result of a handler that reads files.
type beside func() (any, error)
