package pingala

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// callsFiles have the calls that every binding makes; file.rs in crates/pingala-core/tests/suite/calls and in crates/pingala-proofs/tests/calls have
// the formats. More calls than those of the repository lie in a folder that the environment names.
var callsFiles = []string{"calls.txt", "prime_calls.txt"}

type callElement struct {
	modulus    int
	xs, ys     []*big.Int
	answer     *big.Int
	answerCode Code
}

type generatedCall struct {
	line, workload string
	options        Options
	exponentBits   int // the cap, 0 for none
	wider          int
	timeout        string // none, long or past
	byItsLine      bool   // whether the call is made again by the line of its plan
	moduli         []*big.Int
	factors        [][]Factor
	elements       []callElement
}

func hexadecimal(text string) (*big.Int, error) {
	value, ok := new(big.Int).SetString(text, 16)
	if !ok {
		return nil, fmt.Errorf("%q is no number", text)
	}
	return value, nil
}

func smallNumber(text string) (int, error) {
	value, err := strconv.ParseUint(text, 16, 31)
	return int(value), err
}

func listItems(text string) []string {
	if text == "-" {
		return nil
	}
	return strings.Split(text, ";")
}

func (c *generatedCall) readModulus(text string) error {
	text = strings.Replace(text, "!", ":", 1)
	number, rest, _ := strings.Cut(text, ":")
	value, err := hexadecimal(number)
	if err != nil {
		return err
	}
	var factors []Factor
	for _, factor := range strings.FieldsFunc(rest, func(r rune) bool { return r == ',' }) {
		base, multiplicity, _ := strings.Cut(factor, "^")
		p, err := hexadecimal(base)
		if err != nil {
			return err
		}
		k, err := smallNumber(multiplicity)
		if err != nil {
			return err
		}
		factors = append(factors, Factor{p, uint32(k)})
	}
	c.moduli, c.factors = append(c.moduli, value), append(c.factors, factors)
	return nil
}

func (c *generatedCall) readElement(text string) error {
	words := strings.Split(text, ",")
	place, err := smallNumber(words[0])
	if err != nil || place >= len(c.moduli) || len(words)%2 == 0 {
		return fmt.Errorf("%q is no element", text)
	}
	element := callElement{modulus: place}
	for i, word := range words[1:] {
		number, err := hexadecimal(word)
		if err != nil {
			return err
		}
		if i%2 == 0 {
			element.xs = append(element.xs, number)
		} else {
			element.ys = append(element.ys, number)
		}
	}
	c.elements = append(c.elements, element)
	return nil
}

func (c *generatedCall) readResults(texts []string) error {
	if len(texts) != len(c.elements) {
		return fmt.Errorf("%d results for %d elements", len(texts), len(c.elements))
	}
	for i, text := range texts {
		if code, ok := strings.CutPrefix(text, "!"); ok {
			c.elements[i].answerCode = Code(code)
			continue
		}
		answer, err := hexadecimal(text)
		if err != nil {
			return err
		}
		c.elements[i].answer = answer
	}
	return nil
}

// readCall reads a line. An option that this driver does not know is an error.
func readCall(line string) (*generatedCall, error) {
	words := strings.Fields(line)
	c := &generatedCall{line: line, workload: words[0]}
	seen := map[string]bool{}
	for _, word := range words[2:] {
		name, value, _ := strings.Cut(word, "=")
		if seen[name] {
			return nil, fmt.Errorf("%s stands there twice", name)
		}
		seen[name] = true
		var err error
		switch name {
		case "threads":
			c.options.Threads, err = smallNumber(value)
		case "cap":
			c.exponentBits, err = smallNumber(value)
			c.options.ExponentBits = uint64(c.exponentBits)
		case "blinded":
			c.options.Unblinded = value == "0"
		case "timeout":
			c.timeout = value
			if value != "none" && value != "long" && value != "past" {
				err = fmt.Errorf("%q is no time-out", value)
			}
		case "memory":
			var memory int
			memory, err = smallNumber(value)
			c.options.Memory = uint64(memory)
		case "kernel":
			if value != "-" {
				c.options.Kernel = value
			}
		case "plan":
			c.byItsLine = value == "1"
		case "wider":
			c.wider, err = smallNumber(value)
		case "moduli":
			for _, text := range listItems(value) {
				err = errors.Join(err, c.readModulus(text))
			}
		case "powers":
			for _, text := range listItems(value) {
				err = errors.Join(err, c.readElement(text))
			}
		case "results":
			err = c.readResults(listItems(value))
		default:
			return nil, fmt.Errorf("the driver does not know the option %s", name)
		}
		if err != nil {
			return nil, err
		}
	}
	if !seen["threads"] || !seen["cap"] || !seen["blinded"] || !seen["timeout"] || !seen["memory"] || !seen["results"] {
		return nil, errors.New("an option is missing")
	}
	return c, nil
}
