package pingala

import (
	"context"
	"runtime"
	"strings"
	"sync/atomic"

	"example.org/pingala/internal/abi"
)

// Options are settings of calls. The zero value has the defaults.
type Options struct {
	// Threads is the most threads that one call uses; 0 for GOMAXPROCS.
	Threads int
	// Memory is the most bytes that powers use to share work; 0 for 2^30.
	Memory uint64
	// ModulusBits and ExponentBits are the longest modulus and exponent that calls accept; 0 for 2^24 and 2^26.
	ModulusBits, ExponentBits uint64
	// Kernel and Plan force a choice that Pingala makes by itself, such as "portable_r64"; "" for none.
	Kernel, Plan string
	// Unblinded switches off the blinding of secret powers, which modulo known prime factors randomizes their exponents.
	Unblinded bool
	// Rounds is the number of rounds of Miller and Rabin's test, with random bases, of calls on primes; 0 for their default.
	Rounds uint32
	// Done receives the progress of a call, unless it is nil: elements of a list, squarings, bits of the exponent of one power.
	// Calls at the same time need counters of their own.
	Done *atomic.Uint64
}

// session is the options and the watch of one call, as the library wants them.
type session struct {
	options abi.Handle
	ctx     context.Context
	quiet   func() bool
	pins    runtime.Pinner
	why     abi.Why
}

// begin opens a session, which the caller ends. The library polls a word; when the context ends, it is set.
func (o *Options) begin(ctx context.Context) (*session, error) {
	if err := abi.Load(); err != nil {
		return nil, err
	}
	if ctx == nil {
		return nil, badArgument("the context is nil")
	}
	s := &session{ctx: ctx}
	if err := ctx.Err(); err != nil {
		return nil, s.failure(abi.Interrupted)
	}
	var status int32
	if s.options, status = abi.OptionsNew(&s.why); status != abi.OK {
		return nil, s.failure(status)
	}
	if err := s.set(o); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

func (s *session) set(o *Options) error {
	threads := o.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	if threads < 0 {
		return badArgument("Threads is %d; expected a positive number, or 0 for GOMAXPROCS", threads)
	}
	// These fail for NULL only.
	abi.OptionsSetThreads(s.options, threads)
	abi.OptionsSetMemory(s.options, o.Memory)
	if o.Unblinded {
		abi.OptionsSetBlinding(s.options, 0)
	}
	abi.OptionsSetLimits(s.options, o.ModulusBits, o.ExponentBits)
	if o.Rounds > 0 {
		abi.OptionsSetPrimeRounds(s.options, o.Rounds)
	}
	for _, forced := range []struct {
		text string
		set  func(abi.Handle, []byte) int32
	}{{o.Kernel, abi.OptionsSetKernel}, {o.Plan, abi.OptionsSetPlan}} {
		if forced.text == "" {
			continue
		}
		text, err := cText(forced.text)
		if err != nil {
			return err
		}
		if status := forced.set(s.options, text); status != abi.OK {
			return s.failure(status)
		}
	}
	var stop *uint32
	if s.ctx.Done() != nil {
		stop = new(uint32)
		s.pins.Pin(stop)
		s.quiet = context.AfterFunc(s.ctx, func() { atomic.StoreUint32(stop, 1) })
	}
	if stop != nil || o.Done != nil {
		if o.Done != nil {
			s.pins.Pin(o.Done)
		}
		abi.OptionsSetWatch(s.options, stop, word(o.Done))
	}
	return nil
}

// end frees what the session holds; no call runs with it.
func (s *session) end() {
	if s.quiet != nil {
		s.quiet()
	}
	abi.OptionsFree(s.options)
	s.pins.Unpin()
}

// failure is the error of a call of this session.
func (s *session) failure(status int32) error {
	if cause := s.ctx.Err(); cause != nil && status == abi.Interrupted {
		return &Error{Code: Interrupted, Message: "interrupted: " + context.Cause(s.ctx).Error(), cause: cause}
	}
	return failure(status, &s.why)
}

// cText is a text as C has it.
func cText(text string) ([]byte, error) {
	if strings.ContainsRune(text, 0) {
		return nil, badArgument("%q contains a zero byte", text)
	}
	return append([]byte(text), 0), nil
}
