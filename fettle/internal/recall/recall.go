// Package recall remembers, for a server that is asked the same again, what
// files do not hold, so that a search of an unchanged tree need not open them.
//
// Make one Memory for the life of the process. A search calls Ask with what it
// looks for and Close when it is done; for each file it calls Knows before it
// opens it, and Learn after it has looked. A nil Memory and a nil Question
// remember nothing.
//
// What is kept of a file is its identity, its size and two times, and a bit
// for each of the last questions that found nothing in it, or that it is no
// text. No path, no content and no hit is kept, and nothing of it is an answer:
// the caller walks, judges and stats every file on every call as if there were
// no Memory.
//
// Why a change is not missed. A file is known only while its size, its
// modification time and its status-change time are what they were. A program
// can set the first of these times back, and the second only with the clock. A file is learned
// only when both times had been still for settled before the call began: then
// whatever writes to it later gets another time, however coarse the disk's
// clock is, and pages it was mapped with have been written back, so that
// writing to them again is noticed as well. The caller must leave out disks
// whose times are told from a cache, which are those of other machines.
//
// What it does not do: it does not remember where hits are, and it learns
// nothing from one question about another.
package recall

import (
	"crypto/sha256"
	"sync"
	"time"

	"fettler/fettle/internal/boundary"
)

const (
	// Files is how many files are remembered at most, some 40 MB of them.
	Files = 1 << 19
	// settled is how long a file must have been left alone to be learned. A
	// disk's clock steps in up to 2 seconds; Linux writes back a mapped page
	// within 35 unless it is told otherwise.
	settled = 40 * time.Second

	shards    = 64
	questions = 63
	notText   = uint64(1) << questions // beside the questions' bits
)

// What is what is known of a file.
type What int

// Nothing is that no line of it matches the question.
const (
	Unknown What = iota
	Nothing
	NotText
)

// Memory is shared by all searches of a process.
type Memory struct {
	limit  int // of a shard's generation
	shards [shards]shard

	now   func() time.Time
	mu    sync.Mutex // guards slots
	slots [questions]slot
	tick  uint64
}

// shard holds two generations: what is wanted moves to the young one, and when
// that is full the old one goes.
type shard struct {
	mu         sync.Mutex
	young, old map[boundary.FileID]entry
}

type entry struct {
	size, modified, changed int64
	bits                    uint64
}

// slot is a question whose bit files may have.
type slot struct {
	key   [sha256.Size]byte
	used  uint64 // when it was last asked, 0 for never
	users int
}

// New makes a Memory of that many files; now is the clock, time.Now.
func New(files int, now func() time.Time) *Memory {
	return &Memory{limit: max(files/shards/2, 1), now: now}
}

// Question is what one search asks of every file.
type Question struct {
	m     *Memory
	slot  int
	bit   uint64
	again bool
	until int64 // both times of a file that is learned lie before it
}

// Ask begins a search. key says everything that decides which lines match.
// Nil is a question of which nothing is remembered.
func (m *Memory) Ask(key string) *Question {
	if m == nil {
		return nil
	}
	sum := sha256.Sum256([]byte(key))
	m.mu.Lock()
	defer m.mu.Unlock()
	at := -1
	for i := range m.slots {
		s := &m.slots[i]
		if s.used > 0 && s.key == sum {
			at = i
			break
		}
		if s.users == 0 && (at < 0 || s.used < m.slots[at].used) {
			at = i
		}
	}
	if at < 0 {
		return nil // every slot is being asked
	}
	s := &m.slots[at]
	q := &Question{m: m, slot: at, bit: 1 << at, again: s.used > 0 && s.key == sum, until: m.now().Add(-settled).UnixNano()}
	if s.used > 0 && !q.again {
		m.forget(q.bit) // the bit meant another question
	}
	m.tick++
	s.key, s.used = sum, m.tick
	s.users++
	return q
}

// Close ends a search.
func (q *Question) Close() {
	if q == nil {
		return
	}
	q.m.mu.Lock()
	defer q.m.mu.Unlock()
	q.m.slots[q.slot].users--
}

// Again reports whether the same was asked before, so that it pays to ask what
// is known of a file before it is opened.
func (q *Question) Again() bool { return q != nil && q.again }

// Knows says what is known of a file as it is now.
func (q *Question) Knows(i boundary.Info) What {
	if q == nil || i.Changed == 0 {
		return Unknown
	}
	s := q.m.shard(i.ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.get(i.ID, q.m.limit)
	switch {
	case !ok || !e.of(i):
		return Unknown
	case e.bits&notText != 0:
		return NotText
	case e.bits&q.bit != 0:
		return Nothing
	}
	return Unknown
}

// Learn keeps what a search found out about a file. i is what the system said
// of it before it was read.
func (q *Question) Learn(i boundary.Info, w What) {
	if q == nil || w == Unknown || i.Changed == 0 || i.ID == (boundary.FileID{}) {
		return
	}
	e := entry{size: i.Size, modified: i.ModTime.UnixNano(), changed: i.Changed, bits: q.bit}
	if e.modified >= q.until || e.changed >= q.until {
		return
	}
	if w == NotText {
		e.bits = notText
	}
	s := q.m.shard(i.ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if had, ok := s.get(i.ID, q.m.limit); ok && had.of(i) {
		e.bits |= had.bits
	}
	s.put(i.ID, e, q.m.limit)
}

// of reports whether e was learned of the file as i says it is.
func (e entry) of(i boundary.Info) bool {
	return e.size == i.Size && e.modified == i.ModTime.UnixNano() && e.changed == i.Changed
}

func (m *Memory) shard(id boundary.FileID) *shard { return &m.shards[id.Hash()%shards] }

// get finds an entry, which is young from then on.
func (s *shard) get(id boundary.FileID, limit int) (entry, bool) {
	if e, ok := s.young[id]; ok {
		return e, true
	}
	e, ok := s.old[id]
	if ok {
		s.put(id, e, limit)
	}
	return e, ok
}

func (s *shard) put(id boundary.FileID, e entry, limit int) {
	if _, ok := s.young[id]; !ok && len(s.young) >= limit {
		s.old, s.young = s.young, nil
	}
	if s.young == nil {
		s.young = map[boundary.FileID]entry{}
	}
	s.young[id] = e
	delete(s.old, id)
}

// forget takes a bit from every file.
func (m *Memory) forget(bit uint64) {
	for i := range m.shards {
		s := &m.shards[i]
		s.mu.Lock()
		for _, g := range []map[boundary.FileID]entry{s.young, s.old} {
			for id, e := range g {
				if e.bits&bit != 0 {
					e.bits &^= bit
					g[id] = e
				}
			}
		}
		s.mu.Unlock()
	}
}
