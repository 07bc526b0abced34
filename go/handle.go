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

// number sets z to a number below the modulus, which a call writes, and returns z; if z is nil, a new number. After an error z is unchanged.
// The call is repeated with room for the message if it fails.
func (h *handle) number(z, modulus *big.Int, call func(memory abi.Handle, out abi.Words, why *abi.Why) int32) (*big.Int, error) {
	if z == nil {
		z = new(big.Int)
	}
	memory, err := h.acquire()
	if err != nil {
		return nil, err
	}
	defer h.release()
	out := room(z, len(modulus.Bits()))
	if call(memory, out, nil) != abi.OK {
		why := new(abi.Why)
		return nil, failure(call(memory, out, why), why)
	}
	return z.SetBits(out), nil
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
