package recall

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"
	"unsafe"

	"fettler/fettle/internal/boundary"
	"fettler/shared/config"
)

// files makes n files and gives what the boundary says of them.
func files(t testing.TB, n int) []boundary.Info {
	t.Helper()
	dir := t.TempDir()
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := boundary.New(boundary.Options{Trees: []boundary.Spec{{Name: "work", Path: dir, Can: config.Look}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	p, err := b.Locate(".", config.List, "")
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.OpenDir(p)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var out []boundary.Info
	err = d.Each(func(name string, _ fs.FileMode) error {
		i, err := d.Look(name)
		out = append(out, i)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if out[0].Changed == 0 {
		t.Skip("this system does not say when a file changed")
	}
	return out
}

// other is the identity of a file that is not there; outside boundary it is opaque.
func other(i int) (id boundary.FileID) {
	*(*[2]uint64)(unsafe.Pointer(&id)) = [2]uint64{1 << 40, uint64(i)}
	return id
}

func later() time.Time { return time.Now().Add(time.Hour) }

func TestKnows(t *testing.T) {
	fs := files(t, 2)
	m := New(100, later)
	q := m.Ask("a")
	if q.Again() || q.Knows(fs[0]) != Unknown {
		t.Error("a first question is not known")
	}
	q.Learn(fs[0], Nothing)
	q.Learn(fs[1], NotText)
	q.Close()
	q = m.Ask("b")
	if q.Again() || q.Knows(fs[0]) != Unknown || q.Knows(fs[1]) != NotText {
		t.Errorf("of another question: %v %v", q.Knows(fs[0]), q.Knows(fs[1]))
	}
	q.Close()
	q = m.Ask("a")
	if !q.Again() || q.Knows(fs[0]) != Nothing || q.Knows(fs[1]) != NotText {
		t.Errorf("of the same question: %v %v", q.Knows(fs[0]), q.Knows(fs[1]))
	}
	for name, change := range map[string]func(i *boundary.Info){
		"its size":                  func(i *boundary.Info) { i.Size++ },
		"its time":                  func(i *boundary.Info) { i.ModTime = i.ModTime.Add(1) },
		"when it changed":           func(i *boundary.Info) { i.Changed++ },
		"another file":              func(i *boundary.Info) { i.ID = boundary.FileID{} },
		"unknown when it changed":   func(i *boundary.Info) { i.Changed = 0 },
		"the file of another probe": func(i *boundary.Info) { i.ID = fs[1].ID; i.Size = 7 },
	} {
		i := fs[0]
		change(&i)
		if q.Knows(i) != Unknown {
			t.Errorf("%s changed, and it is known", name)
		}
	}
	q.Close()
	var none *Memory
	n := none.Ask("a")
	n.Learn(fs[0], Nothing)
	if n.Again() || n.Knows(fs[0]) != Unknown {
		t.Error("no memory remembers")
	}
	n.Close()
}

// A file is not learned until it has been left alone for a while.
func TestSettled(t *testing.T) {
	f := files(t, 1)[0]
	for _, c := range []struct {
		after time.Duration
		want  What
	}{{0, Unknown}, {2 * time.Second, Unknown}, {settled - time.Second, Unknown}, {settled + time.Second, Nothing}} {
		m := New(100, func() time.Time { return time.Unix(0, f.Changed).Add(c.after) })
		q := m.Ask("a")
		q.Learn(f, Nothing)
		if got := q.Knows(f); got != c.want {
			t.Errorf("after %v: %v", c.after, got)
		}
		q.Close()
	}
	// A time that lies ahead is no time to go by.
	m := New(100, later)
	q := m.Ask("a")
	f.ModTime = time.Now().Add(24 * time.Hour)
	if q.Learn(f, Nothing); q.Knows(f) != Unknown {
		t.Error("a file of the future is known")
	}
}

// A slot that is given to another question means nothing of the first one,
// and one that is being asked is not given away.
func TestSlots(t *testing.T) {
	f := files(t, 1)[0]
	m := New(100, later)
	q := m.Ask("first")
	q.Learn(f, Nothing)
	q.Close()
	for i := range questions + 1 {
		o := m.Ask(fmt.Sprint(i))
		if o.Again() || o.Knows(f) != Unknown {
			t.Fatalf("question %d has another one's answer", i)
		}
		o.Close()
	}
	if q = m.Ask("first"); q.Again() || q.Knows(f) != Unknown {
		t.Error("what was dropped is known")
	}
	q.Close()
	var all []*Question
	for i := range questions {
		all = append(all, m.Ask(fmt.Sprint("held", i)))
	}
	if m.Ask("one more") != nil {
		t.Error("a slot in use was given away")
	}
	if m.Ask("held3") == nil {
		t.Error("the same question asked twice at once has no slot")
	}
	all[5].Close()
	if q := m.Ask("one more"); q == nil || q.slot != all[5].slot {
		t.Error("the free slot was not given")
	}
}

// What is held is bounded, and what is wanted stays.
func TestBound(t *testing.T) {
	f := files(t, 1)[0]
	wanted := f
	const n = 64 * 100
	m := New(n, later)
	q := m.Ask("a")
	defer q.Close()
	q.Learn(f, Nothing)
	for i := range 10 * n {
		f.ID = other(i)
		q.Learn(f, Nothing)
		if i%500 == 0 && q.Knows(wanted) != Nothing {
			t.Fatalf("what is wanted was dropped after %d", i)
		}
	}
	held := 0
	for i := range m.shards {
		held += len(m.shards[i].young) + len(m.shards[i].old)
	}
	if held > n || held < n/4 {
		t.Errorf("%d files held of %d", held, n)
	}
}

// All of a full memory takes less than 64 MB.
func TestBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("fills the memory")
	}
	f := files(t, 1)[0]
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m := New(Files, later)
	q := m.Ask("a")
	for i := range Files + Files/8 {
		f.ID = other(i)
		q.Learn(f, Nothing)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if mb := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) >> 20; mb > 64 {
		t.Errorf("%d MB", mb)
	} else {
		t.Logf("%d MB", mb)
	}
	runtime.KeepAlive(m)
}

// Several searches at once, of more questions than there are slots.
func TestAtOnce(t *testing.T) {
	fs := files(t, 30)
	m := New(10, later)
	var g sync.WaitGroup
	for w := range 8 {
		g.Go(func() {
			for i := range 300 {
				n := (w*7 + i) % 100
				q := m.Ask(fmt.Sprint(n))
				for j, f := range fs {
					// File j holds the answer to question n unless n is a multiple of j+2.
					holds := n%(j+2) != 0
					if q.Knows(f) == Nothing && holds {
						t.Errorf("question %d: file %d is said to hold nothing", n, j)
					}
					if !holds {
						q.Learn(f, Nothing)
					}
				}
				q.Close()
			}
		})
	}
	g.Wait()
}

// What is held of a file and of a question is numbers: no path and no content,
// whatever was learned.
func TestNothingButNumbersIsHeld(t *testing.T) {
	var plain func(v reflect.Type) bool
	plain = func(v reflect.Type) bool {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if !plain(v.Field(i).Type) {
					return false
				}
			}
			return true
		case reflect.Array:
			return plain(v.Elem())
		}
		return v.Kind() >= reflect.Bool && v.Kind() <= reflect.Uint64
	}
	held := 0
	for i := range reflect.TypeFor[shard]().NumField() {
		f := reflect.TypeFor[shard]().Field(i)
		if f.Name == "mu" {
			continue
		}
		held++
		if f.Type.Kind() != reflect.Map || !plain(f.Type.Key()) || !plain(f.Type.Elem()) {
			t.Errorf("%s holds %s", f.Name, f.Type)
		}
	}
	if held != 2 || !plain(reflect.TypeFor[slot]()) || plain(reflect.TypeFor[string]()) || plain(reflect.TypeFor[[]byte]()) {
		t.Errorf("%d generations, or a question holds more", held)
	}
}

func TestNoAllocations(t *testing.T) {
	f := files(t, 1)[0]
	m := New(1000, later)
	q := m.Ask("a")
	defer q.Close()
	q.Learn(f, Nothing)
	if n := testing.AllocsPerRun(100, func() {
		if q.Knows(f) != Nothing {
			t.Fatal("not known")
		}
	}); n != 0 {
		t.Errorf("looking a file up allocates %v times", n)
	}
}
