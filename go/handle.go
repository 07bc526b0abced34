package pingala

import (
	"context"
	"math/big"
	"runtime"
	"sync/atomic"

	"example.org/pingala/internal/abi"
)

// handle owns memory of the C library. Calls count themselves in, so that Close frees the memory when no call uses it.
type handle struct {
	memory  abi.Handle
	free    func(abi.Handle)
	users   atomic.Int64 // calls, and one for the owner until Close
	closed  atomic.Bool
	cleanup runtime.Cleanup
}

func own(memory abi.Handle, free func(abi.Handle)) *handle {
	h := &handle{memory: memory, free: free}
	h.users.Store(1)
	h.cleanup = runtime.AddCleanup(h, free, memory)
	return h
}

// acquire gives the memory to a call, which releases it. A value that no function of this package made has none.
func (h *handle) acquire() (abi.Handle, error) {
	if h == nil {
		return nil, errNotMade
	}
	for !h.closed.Load() {
		if users := h.users.Load(); users > 0 && h.users.CompareAndSwap(users, users+1) {
			return h.memory, nil
		}
	}
	return nil, ErrClosed
}

func (h *handle) release() {
	if h.users.Add(-1) == 0 {
		h.free(h.memory)
	}
}

func (h *handle) close() {
	if h != nil && h.closed.CompareAndSwap(false, true) {
		h.cleanup.Stop()
		h.release()
	}
}

// begin opens a session with the memory in use; the caller calls done.
func (h *handle) begin(ctx context.Context, o *Options) (memory abi.Handle, s *session, done func(), err error) {
	if s, err = o.begin(ctx); err != nil {
		return nil, nil, nil, err
	}
	if memory, err = h.acquire(); err != nil {
		s.end()
		return nil, nil, nil, err
	}
	return memory, s, func() { h.release(); s.end() }, nil
}

// ask asks the memory for a number; 0 if there is none.
func ask[T any](h *handle, what func(abi.Handle) T) (answer T) {
	memory, err := h.acquire()
	if err != nil {
		return answer
	}
	defer h.release()
	return what(memory)
}

// save has the library write what the memory holds to a file.
func (h *handle) save(path string, write func(memory abi.Handle, file []byte, why *abi.Why) int32) error {
	file, err := cText(path)
	if err != nil {
		return err
	}
	memory, err := h.acquire()
	if err != nil {
		return err
	}
	defer h.release()
	why := new(abi.Why)
	return failure(write(memory, file, why), why)
}

// residues is a handle whose calls take and give residues, with their modulus and the options of calls. It is nil in a value that no
// function of this package made.
type residues struct {
	handle  *handle
	modulus *big.Int
	options Options
}

func (r *residues) with(o Options) *residues {
	if r == nil {
		return nil
	}
	return &residues{r.handle, r.modulus, o}
}

func (r *residues) held() *handle {
	if r == nil {
		return nil
	}
	return r.handle
}

// value is a copy of the modulus; 0 if there is none.
func (r *residues) value() *big.Int {
	if r == nil {
		return new(big.Int)
	}
	return copyOf(r.modulus)
}

// words is the length of the modulus.
func (r *residues) words() int { return len(r.modulus.Bits()) }

// rows has bases as wide as the modulus, and the flags of the negative ones.
func (r *residues) rows(xs []*big.Int) (abi.Words, []byte) {
	return rows(xs, r.words(), r.modulus, abi.NegativeBase, nil)
}

// begin opens a session with the options and the memory; the caller calls done.
func (r *residues) begin(ctx context.Context) (memory abi.Handle, s *session, done func(), err error) {
	if r == nil {
		return nil, nil, nil, errNotMade
	}
	return r.handle.begin(ctx, &r.options)
}

// number sets z to a number below the modulus, which a call writes, and returns z; if z is nil, a new number. After an error z is unchanged.
// The call is repeated with room for the message if it fails.
func (r *residues) number(z *big.Int, call func(memory abi.Handle, out abi.Words, why *abi.Why) int32) (*big.Int, error) {
	memory, err := r.held().acquire()
	if err != nil {
		return nil, err
	}
	defer r.handle.release()
	if z == nil {
		z = new(big.Int)
	}
	out := room(z, r.words())
	if call(memory, out, nil) != abi.OK {
		why := new(abi.Why)
		return nil, failure(call(memory, out, why), why)
	}
	return z.SetBits(out), nil
}
