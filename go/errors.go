package pingala

import (
	"errors"
	"fmt"

	"example.org/pingala/internal/abi"
)

// ErrNoLibrary tells that the Pingala library was not found, or is older than this package. The error that a call returns wraps it
// and says what to do.
var ErrNoLibrary = abi.ErrNoLibrary

// ErrClosed is the error of a call on a handle after its Close.
var ErrClosed = errors.New("pingala: the handle is closed")

// Code is the stable name of a kind of error, the same in all languages. errors.Is(err, pingala.NotInvertible) finds it.
type Code string

// The codes that a call of this package can return.
const (
	TooLong         Code = "too_long"         // a length beyond its limit
	ZeroModulus     Code = "zero_modulus"     // the modulus is 0
	NegativeModulus Code = "negative_modulus" // the modulus is negative
	NotInvertible   Code = "not_invertible"   // a value has no inverse
	WrongFactors    Code = "wrong_factors"    // the factors do not fit the modulus
	BadPlan         Code = "bad_plan"         // a forced plan or kernel does not fit
	BadArgument     Code = "bad_argument"     // an argument out of range
	BadSecret       Code = "bad_secret"       // a secret exponent is wider than declared
	Interrupted     Code = "interrupted"      // the context ended
	Fault           Code = "fault"            // a result, or a table, failed its check
	BadFile         Code = "bad_file"         // a file cannot be read or written, or has unexpected content
)

func (c Code) Error() string { return string(c) }

// Error is the error of a call.
type Error struct {
	Code    Code
	Message string
	cause   error
}

func (e *Error) Error() string {
	if e.Message == "" {
		return "pingala: " + string(e.Code)
	}
	return "pingala: " + e.Message
}

// Unwrap gives the code and, of an interrupted call, the error of its context.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Code}
	}
	return []error{e.Code, e.cause}
}

// errNotMade is the error of a call on a nil pointer, and on a value that no function of this package has made.
var errNotMade = badArgument("nil, or a value that no function of this package has made")

func badArgument(format string, values ...any) error {
	return &Error{Code: BadArgument, Message: fmt.Sprintf(format, values...)}
}

// failure is the error that belongs to a status; nil for success.
func failure(status int32, why *abi.Why) error {
	if status == abi.OK {
		return nil
	}
	return &Error{Code: Code(abi.StatusName(status)), Message: why.String()}
}

// failures has the errors that belong to statuses of calls with this message.
func failures(why *abi.Why) func(int32) error {
	return func(status int32) error { return failure(status, why) }
}

// ElementError is the error of one element of a list.
type ElementError struct {
	Index int
	Err   error
}

func (e *ElementError) Error() string { return fmt.Sprintf("element %d: %v", e.Index, e.Err) }

// Unwrap gives the error without the index.
func (e *ElementError) Unwrap() error { return e.Err }

// ListError has the errors of a list's elements, in order. The other elements have their results.
type ListError []*ElementError

func (l ListError) Error() string {
	if len(l) == 1 {
		return l[0].Error()
	}
	return fmt.Sprintf("%v (and %d more elements with errors)", l[0], len(l)-1)
}

// Unwrap gives all errors.
func (l ListError) Unwrap() []error {
	all := make([]error, len(l))
	for i, err := range l {
		all[i] = err
	}
	return all
}

// elements is the error of a list whose elements have these statuses; why belongs to the first error. Elements with known
// errors, which are in order, were computed with other numbers.
func elements(statuses []int32, why *abi.Why, known ListError) error {
	var list ListError
	if len(known) > 0 {
		why = new(abi.Why)
	}
	for i, status := range statuses {
		if len(known) > 0 && known[0].Index == i {
			list, known = append(list, known[0]), known[1:]
			continue
		}
		if status == abi.OK {
			continue
		}
		if len(list) > 0 {
			why = new(abi.Why)
		}
		list = append(list, &ElementError{i, failure(status, why)})
	}
	if list == nil {
		return nil
	}
	return list
}
