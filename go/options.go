package pingala

import (
	"context"
	"math/big"
	"runtime"
	"strings"
	"sync/atomic"

	"example.org/pingala/internal/abi"
)

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

// set sets the options that are values, and the words that the library polls and writes.
func (s *session) set(o *Options) error {
	if err := s.setValues(o); err != nil {
		return err
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

// setText sets a text, unless it is empty.
func (s *session) setText(value string, set func(abi.Handle, []byte) int32) error {
	if value == "" {
		return nil
	}
	text, err := cText(value)
	if err != nil {
		return err
	}
	return s.failure(set(s.options, text))
}

// setNumber sets a number, unless it is nil.
func (s *session) setNumber(name string, value *big.Int, set func(abi.Handle, abi.Words) int32) error {
	if value == nil {
		return nil
	}
	if err := natural(name, value); err != nil {
		return err
	}
	return s.failure(set(s.options, value.Bits()))
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
