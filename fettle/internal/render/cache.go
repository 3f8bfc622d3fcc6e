package render

import (
	"container/list"
	"sync"

	"fettler/fettle/internal/boundary"
	"fettler/fettle/internal/document"
	"fettler/shared/config"
)

// key is what makes a rendering the same: the file itself, its length, its
// modification time, which a program can set back, when it changed, which it
// cannot, and where it lay, so that a worker of one place never
// answers for another.
type key struct {
	id     boundary.FileID
	size   int64
	mtime  int64
	change int64
	kind   document.Kind
	screen config.Categories
}

// cache keeps renderings, the least recently wanted of which goes first.
type cache struct {
	mu    sync.Mutex
	limit int64
	used  int64
	order list.List // of *kept, most recent first
	byKey map[key]*list.Element
}

type kept struct {
	key  key
	r    *document.Rendering
	cost int64
}

func (c *cache) get(k key) *document.Rendering {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[k]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*kept).r
}

func (c *cache) put(k key, r *document.Rendering) {
	cost := int64(256)
	for _, l := range r.Lines {
		cost += int64(len(l)) + 16
	}
	for _, m := range r.Landmarks {
		cost += int64(len(m.Cite)) + 32
	}
	if cost > c.limit/2 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey == nil {
		c.byKey = map[key]*list.Element{}
	}
	if e := c.byKey[k]; e != nil {
		c.drop(e)
	}
	c.byKey[k] = c.order.PushFront(&kept{k, r, cost})
	for c.used += cost; c.used > c.limit; {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	x := c.order.Remove(e).(*kept)
	delete(c.byKey, x.key)
	c.used -= x.cost
}
