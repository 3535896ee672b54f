package main

import (
	"bytes"
	"fmt"
	"go/constant"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// declarer writes the API of a package as Go declarations.
type declarer struct {
	pkg     *types.Package
	imports map[string]string // name, by path
	out     bytes.Buffer
}

// declare returns the exported declarations of a package, and those unexported types that they
// mention.
func declare(pkg *types.Package) []byte {
	d := &declarer{pkg: pkg, imports: map[string]string{}}
	var todo []string
	for _, name := range pkg.Scope().Names() {
		if token.IsExported(name) {
			todo = append(todo, name)
		}
	}
	parts, done := map[string]string{}, map[string]bool{}
	for ; len(todo) > 0; todo = todo[1:] {
		if name := todo[0]; !done[name] {
			done[name] = true
			d.out.Reset()
			d.object(pkg.Scope().Lookup(name))
			parts[name] = d.out.String()
			todo = append(todo, d.mentioned(d.out.Bytes())...)
		}
	}
	var all bytes.Buffer
	fmt.Fprintf(&all, "package %s\n\n", pkg.Name())
	for _, path := range slices.Sorted(maps.Keys(d.imports)) {
		fmt.Fprintf(&all, "import %s %q\n", d.imports[path], path)
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		all.WriteString("\n" + parts[name])
	}
	return all.Bytes()
}

// mentioned lists the unexported types of the package whose names occur in a text.
func (d *declarer) mentioned(text []byte) []string {
	var names []string
	var s scanner.Scanner
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, len(text)), text, nil, 0)
	before := token.ILLEGAL
	for {
		_, tok, literal := s.Scan()
		if tok == token.EOF {
			return names
		}
		if tok == token.IDENT && before != token.PERIOD && !token.IsExported(literal) {
			if _, ok := d.pkg.Scope().Lookup(literal).(*types.TypeName); ok {
				names = append(names, literal)
			}
		}
		before = tok
	}
}

// qualify names a package in declarations.
func (d *declarer) qualify(p *types.Package) string {
	if p == d.pkg {
		return ""
	}
	if name, ok := d.imports[p.Path()]; ok {
		return name
	}
	name := p.Name()
	for taken := slices.Collect(maps.Values(d.imports)); slices.Contains(taken, name); {
		name += "_"
	}
	d.imports[p.Path()] = name
	return name
}

func (d *declarer) text(t types.Type) string { return types.TypeString(t, d.qualify) }

func (d *declarer) printf(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

func (d *declarer) object(o types.Object) {
	switch o := o.(type) {
	case *types.Const:
		kind := ""
		if basic, ok := o.Type().(*types.Basic); !ok || basic.Info()&types.IsUntyped == 0 {
			kind = " " + d.text(o.Type())
		}
		d.printf("const %s%s = %s\n", o.Name(), kind, literal(o.Val()))
	case *types.Var:
		d.printf("var %s %s\n", o.Name(), d.text(o.Type()))
	case *types.Func:
		d.printf("func %s%s {}\n", o.Name(), d.signature(o.Signature()))
	case *types.TypeName:
		d.typeName(o)
	}
}

func literal(v constant.Value) string {
	if v.Kind() == constant.Float {
		f, _ := constant.Float64Val(v)
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return v.ExactString()
}

func (d *declarer) signature(s *types.Signature) string {
	var b bytes.Buffer
	types.WriteSignature(&b, s, d.qualify)
	return b.String()
}

func (d *declarer) typeName(o *types.TypeName) {
	if o.IsAlias() {
		d.printf("type %s = %s\n", o.Name(), d.text(types.Unalias(o.Type())))
		return
	}
	named := o.Type().(*types.Named)
	head := o.Name()
	if params := named.TypeParams(); params.Len() > 0 {
		var list []string
		for p := range params.TypeParams() {
			list = append(list, p.Obj().Name()+" "+d.text(p.Constraint()))
		}
		head += "[" + strings.Join(list, ", ") + "]"
	}
	switch under := named.Underlying().(type) {
	case *types.Struct:
		d.structure(head, under)
	case *types.Interface:
		d.iface(head, under)
	default:
		d.printf("type %s %s\n", head, d.text(under))
	}
	methods := slices.Collect(named.Methods())
	slices.SortFunc(methods, func(a, b *types.Func) int { return strings.Compare(a.Name(), b.Name()) })
	for _, m := range methods {
		if m.Exported() {
			d.printf("func (%s) %s%s {}\n", d.text(m.Signature().Recv().Type()), m.Name(), d.signature(m.Signature()))
		}
	}
}

// structure writes a struct. A single field replaces its unexported ones; it is comparable if the
// struct is.
func (d *declarer) structure(head string, s *types.Struct) {
	d.printf("type %s struct {\n", head)
	hidden := false
	for f := range s.Fields() {
		switch {
		case f.Embedded():
			d.printf("\t%s\n", d.text(f.Type()))
		case f.Exported():
			d.printf("\t%s %s\n", f.Name(), d.text(f.Type()))
		default:
			hidden = true
		}
	}
	switch {
	case hidden && types.Comparable(s):
		d.printf("\t_ struct{}\n")
	case hidden:
		d.printf("\t_ func()\n")
	}
	d.printf("}\n")
}

func (d *declarer) iface(head string, i *types.Interface) {
	d.printf("type %s interface {\n", head)
	for t := range i.EmbeddedTypes() {
		d.printf("\t%s\n", d.text(t))
	}
	methods := slices.Collect(i.ExplicitMethods())
	slices.SortFunc(methods, func(a, b *types.Func) int { return strings.Compare(a.Name(), b.Name()) })
	for _, m := range methods {
		d.printf("\t%s%s\n", m.Name(), d.signature(m.Signature()))
	}
	d.printf("}\n")
}
