module github.com/canvass-grid/canvass

go 1.26
