package jobs_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/canvass-grid/canvass/daemon/jobs"
)

// fill gives every field of a value something, so that a field that is added to a record later is
// tried as well.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if at, is := v.Addr().Interface().(*time.Time); is {
			*at = time.Unix(1000, 0).UTC()
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	default:
		v.Set(reflect.ValueOf(1).Convert(v.Type()))
	}
}

// shared returns where two values of one type have memory in common.
func shared(path string, a, b reflect.Value) (all []string) {
	switch a.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if a.UnsafePointer() == b.UnsafePointer() {
			return []string{path}
		}
	}
	switch a.Kind() {
	case reflect.Pointer:
		return shared(path, a.Elem(), b.Elem())
	case reflect.Slice:
		return shared(path+"[]", a.Index(0), b.Index(0))
	case reflect.Struct:
		if a.Type() == reflect.TypeFor[time.Time]() {
			return nil
		}
		for i := range a.NumField() {
			all = append(all, shared(path+"."+a.Type().Field(i).Name, a.Field(i), b.Field(i))...)
		}
	}
	return all
}

func TestACloneSharesOnlyWhatNeverChanges(t *testing.T) {
	r := &jobs.Record{}
	fill(reflect.ValueOf(r).Elem())
	c := r.Clone()
	assert.Equal(t, r, c)
	var beside []string
	for _, path := range shared("", reflect.ValueOf(r), reflect.ValueOf(c)) {
		if len(path) < len(".Spec.") || path[:len(".Spec.")] != ".Spec." {
			beside = append(beside, path)
		}
	}
	assert.Equal(t, []string{
		".Attempts[].Ranks[].Outputs", ".Attempts[].Ranks[].Unkept", ".Attempts[].Ranks[].Remarks",
		".Attempts[].Ranks[].Lacking",
		".Asked.Ranks[].Outputs", ".Asked.Ranks[].Unkept", ".Asked.Ranks[].Remarks", ".Asked.Ranks[].Lacking",
	}, beside)
	assert.Equal(t, &jobs.Record{}, (&jobs.Record{}).Clone())
}
