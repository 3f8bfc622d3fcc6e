package screen

import (
	"container/list"
	"crypto/sha256"
	"sync"

	"fettler/shared/wire"
)

// verdicts remembers the last answers by the hash of what was judged and of
// the models that judged it. It holds counts and no text.
type verdicts struct {
	mu    sync.Mutex
	most  int
	order *list.List // the latest first
	by    map[[sha256.Size]byte]*list.Element
}

type verdictOf struct {
	key   [sha256.Size]byte
	found []wire.Finding
}

func newVerdicts(most int) *verdicts {
	return &verdicts{most: most, order: list.New(), by: map[[sha256.Size]byte]*list.Element{}}
}

func (v *verdicts) get(key [sha256.Size]byte) ([]wire.Finding, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	e, ok := v.by[key]
	if !ok {
		return nil, false
	}
	v.order.MoveToFront(e)
	return e.Value.(verdictOf).found, true
}

func (v *verdicts) put(key [sha256.Size]byte, found []wire.Finding) {
	counts := make([]wire.Finding, len(found))
	for i, f := range found {
		counts[i] = wire.Finding{Category: f.Category, Count: f.Count}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, ok := v.by[key]; ok {
		return
	}
	v.by[key] = v.order.PushFront(verdictOf{key, counts})
	if v.order.Len() > v.most {
		last := v.order.Back()
		v.order.Remove(last)
		delete(v.by, last.Value.(verdictOf).key)
	}
}
