package pingala

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// notOffered is what this package does not offer: names that it does not export, why, and what makes the calls here.
var notOffered = map[string]struct {
	names        []string
	why, instead string
}{
	"modexp":            {[]string{"ModExp", "Modexp"}, "numbers are big.Int, without a length", "powmod"},
	"rows":              {[]string{"ExpRows", "ExpColumn"}, "a list of big.Int is what Go programs have", "list"},
	"words":             {[]string{"ExpWords"}, "a word is a short big.Int", "each"},
	"secret_power":      {[]string{"ExpSecret"}, "a single secret power is a list of one", "secret_list"},
	"secret_bytes":      {[]string{"ExpSecretBytes"}, "ExpSecretList takes bytes", "secret_list"},
	"mul_rows":          {[]string{"MulRows", "MulColumn"}, "as rows", "mul_each"},
	"mul_words":         {[]string{"MulWords"}, "as words", "mul_each"},
	"residue_chain":     {[]string{"Residues"}, "a list of big.Int has one form", ""},
	"accumulate":        {[]string{"Accumulate"}, "accumulators are for Rust and Python", ""},
	"witnesses":         {[]string{"Witnesses"}, "as accumulate", ""},
	"update_witnesses":  {[]string{"UpdateWitnesses"}, "as accumulate", ""},
	"failing_witnesses": {[]string{"FailingWitnesses", "VerifyWitnesses"}, "as accumulate", ""},
	"secret factors":    {[]string{"SecretFactor", "NewSecretModulus", "NewModulusSecret"}, "a private key in Go is in crypto/rsa; the calls know the factors as public ones", "known factors"},
}

// codeOf is the code of an error; "" for none.
func codeOf(err error) Code {
	var code Code
	if err != nil && !errors.As(err, &code) {
		return Code("no code: " + err.Error())
	}
	return code
}

// caller makes the calls of a line, and compares.
type caller struct {
	*testing.T
	*generatedCall
	compared int
}

// ctx is the context of the call.
func (c *caller) ctx() context.Context {
	ends := map[string]time.Duration{"past": -1, "long": time.Hour}[c.timeout]
	if ends == 0 {
		return context.Background()
	}
	ctx, cancel := context.WithTimeout(context.Background(), ends)
	c.Cleanup(cancel)
	return ctx
}

// tolerates tells whether the call may end with a code, whatever its results are.
func (c *caller) tolerates(code Code) bool {
	return code == Interrupted && c.timeout == "past" || code == BadPlan && c.options.Kernel != ""
}

func (c *caller) one(way string, i int, got *big.Int, err error) {
	c.compared++
	want := &c.elements[i]
	if code := codeOf(err); c.tolerates(code) {
		return
	} else if code != want.answerCode {
		c.Errorf("%s, element %d: %q (%v), not %q\n%s", way, i, code, err, want.answerCode, c.line)
	} else if code == "" && (got == nil || got.Cmp(want.answer) != 0) {
		c.Errorf("%s, element %d: %x, not %x\n%s", way, i, got, want.answer, c.line)
	}
}

// list compares the results of a list and the errors of its elements, of which each is named once, in order.
func (c *caller) list(way string, got []*big.Int, err error) {
	bad := map[int]error{}
	var list ListError
	if errors.As(err, &list) {
		last := -1
		for _, element := range list {
			if element.Index <= last {
				c.Errorf("%s: the errors are not in order: %v\n%s", way, err, c.line)
			}
			last = element.Index
			bad[last] = element.Err
		}
	} else if c.tolerates(codeOf(err)) {
		c.compared++
		return
	} else if err != nil {
		c.Errorf("%s: %v\n%s", way, err, c.line)
	}
	if len(got) != len(c.elements) {
		c.Fatalf("%s: %d results\n%s", way, len(got), c.line)
	}
	for i := range got {
		if bad[i] != nil && got[i] != nil {
			c.Errorf("%s, element %d: a result beside an error\n%s", way, i, c.line)
		}
		c.one(way, i, got[i], bad[i])
	}
}

func (c *caller) open() []*Modulus {
	moduli, options := make([]*Modulus, len(c.moduli)), c.options
	if strings.Contains(c.workload, "fixed_base") {
		options.Kernel = ""
	}
	for i, value := range c.moduli {
		m, err := options.NewModulus(value, c.factors[i]...)
		if err != nil {
			c.Fatalf("%v\n%s", err, c.line)
		}
		c.Cleanup(m.Close)
		moduli[i] = m
	}
	return moduli
}

// numbers has the one base and the one exponent of each element.
func (c *caller) numbers() (xs, ys []*big.Int) {
	for _, element := range c.elements {
		xs, ys = append(xs, element.xs[0]), append(ys, element.ys[0])
	}
	return xs, ys
}

// first is what all elements share; 3 of no elements.
func first(numbers []*big.Int) *big.Int {
	if len(numbers) == 0 {
		return big.NewInt(3)
	}
	return numbers[0]
}

func (c *caller) each() {
	xs, ys := c.numbers()
	for i, element := range c.elements {
		m, err := c.options.NewModulus(c.moduli[element.modulus], c.factors[element.modulus]...)
		if err != nil {
			c.one("NewModulus", i, nil, err)
			continue
		}
		power, err := m.Exp(nil, xs[i], ys[i])
		c.one("Modulus.Exp", i, power, err)
		if line, err := m.Plan(xs[i], ys[i]); c.byItsLine && err == nil {
			o := c.options
			o.Kernel, o.Plan = "", line
			forced, err := o.NewModulus(c.moduli[element.modulus], c.factors[element.modulus]...)
			if err != nil {
				c.Fatalf("%v\n%s", err, c.line)
			}
			power, err = forced.Exp(nil, xs[i], ys[i])
			c.one("Modulus.Exp by its line", i, power, err)
			forced.Close()
		}
		m.Close()
		if c.exponentBits == 0 {
			// Exp has no limits, and nil is its one error.
			err = nil
			if power = Exp(nil, xs[i], ys[i], c.moduli[element.modulus]); power == nil {
				err = NotInvertible
			}
			c.one("Exp", i, power, err)
		}
	}
}

func (c *caller) lists() {
	ctx, moduli := c.ctx(), c.open()
	xs, ys := c.numbers()
	ms := make([]*Modulus, len(c.elements))
	for i, element := range c.elements {
		ms[i] = moduli[element.modulus]
	}
	got, err := ExpList(ctx, c.options, xs, ys, ms)
	c.list("ExpList", got, err)
	if len(moduli) > 1 {
		return
	}
	got, err = moduli[0].ExpList(ctx, xs, ys)
	c.list("Modulus.ExpList", got, err)
	switch c.workload {
	case "base_list":
		got, err = moduli[0].ExpBases(ctx, xs, first(ys))
		c.list("ExpBases", got, err)
	case "exponent_list":
		got, err = moduli[0].ExpMany(ctx, first(xs), ys)
		c.list("ExpMany", got, err)
	}
}

func (c *caller) products() {
	ctx, moduli := c.ctx(), c.open()
	var xs, ys [][]*big.Int
	var ms []*Modulus
	for i, element := range c.elements {
		xs, ys, ms = append(xs, element.xs), append(ys, element.ys), append(ms, moduli[element.modulus])
		got, err := moduli[element.modulus].Product(ctx, element.xs, element.ys)
		c.one("Product", i, got, err)
	}
	got, err := ProductList(ctx, c.options, xs, ys, ms)
	c.list("ProductList", got, err)
	if len(moduli) == 1 {
		got, err = moduli[0].ProductList(ctx, xs, ys)
		c.list("Modulus.ProductList", got, err)
	}
}

// table is the table of the one base; a secret may be declared two bits longer than it is.
func (c *caller) table(secret bool) *FixedBase {
	xs, ys := c.numbers()
	bits := 0
	for _, y := range ys {
		bits = max(bits, y.BitLen())
	}
	if secret {
		bits += 2
	}
	if c.exponentBits > 0 {
		bits = min(bits, c.exponentBits)
	}
	use := Table{Bits: max(1, bits), Memory: 1 << 16, Powers: 100, Lists: c.options.Threads > 1, Secret: secret}
	table, err := c.open()[0].FixedBase(context.Background(), first(xs), use)
	if err != nil {
		c.Fatalf("%v\n%s", err, c.line)
	}
	c.Cleanup(table.Close)
	return table
}

func (c *caller) fixedBase() {
	table := c.table(false)
	if c.workload == "fixed_base_file" {
		path := filepath.Join(c.TempDir(), "table")
		if err := table.Save(path); err != nil {
			c.Fatalf("%v\n%s", err, c.line)
		}
		loaded, err := LoadFixedBase(path, c.open()[0])
		if err != nil {
			c.Fatalf("%v\n%s", err, c.line)
		}
		defer loaded.Close()
		table = loaded
	}
	_, ys := c.numbers()
	for i, y := range ys {
		power, err := table.Exp(nil, y)
		c.one("FixedBase.Exp", i, power, err)
	}
	got, err := table.ExpList(c.ctx(), ys)
	c.list("FixedBase.ExpList", got, err)
}

func (c *caller) squarings() {
	m, squarings := c.open()[0], uint64(c.elements[0].ys[0].BitLen()-1)
	var checkpoint Checkpoint
	if c.workload == "squaring_resumed" {
		checkpoint.Path = filepath.Join(c.TempDir(), "state")
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := m.RepeatedSquare(ctx, c.elements[0].xs[0], squarings, checkpoint); !errors.Is(err, Interrupted) {
			c.Errorf("stopped: %v\n%s", err, c.line)
		}
		// The first call that runs leaves its last state, from which the second one resumes.
		got, err := m.RepeatedSquare(context.Background(), c.elements[0].xs[0], squarings, checkpoint)
		c.one("RepeatedSquare with a file", 0, got, err)
	}
	got, err := m.RepeatedSquare(c.ctx(), c.elements[0].xs[0], squarings, checkpoint)
	c.one("RepeatedSquare", 0, got, err)
}

func (c *caller) inverses() {
	m := c.open()[0]
	xs, _ := c.numbers()
	for i, x := range xs {
		inverse, err := m.Inverse(nil, x)
		c.one("Inverse", i, inverse, err)
	}
	got, err := m.Inverses(c.ctx(), xs)
	c.list("Inverses", got, err)
}

// secrets are lists of the elements that have one declared length.
func (c *caller) secrets(list func(bases, exponents [][]byte, bits int) ([][]byte, error)) {
	places := map[int][]int{}
	for i, element := range c.elements {
		bits := max(1, element.ys[0].BitLen()+c.wider)
		places[bits] = append(places[bits], i)
	}
	if len(places) == 0 {
		got, err := list(nil, nil, 1)
		if len(got) != 0 || err != nil && !c.tolerates(codeOf(err)) {
			c.Errorf("an empty list: %v, %v\n%s", got, err, c.line)
		}
	}
	for bits, places := range places {
		for padding := range 2 {
			var bases, exponents [][]byte
			for _, i := range places {
				residue := new(big.Int).Mod(c.elements[i].xs[0], c.moduli[0])
				exponent := c.elements[i].ys[0]
				bases = append(bases, residue.Bytes())
				exponents = append(exponents, exponent.FillBytes(make([]byte, (exponent.BitLen()+7)/8+24*padding)))
			}
			got, err := list(bases, exponents, bits)
			var each ListError
			isList := errors.As(err, &each)
			for at, i := range places {
				own := err
				if c.tolerates(codeOf(err)) {
					c.compared++
					continue
				}
				if isList {
					own = nil
					if at := slices.IndexFunc(each, func(e *ElementError) bool { return e.Index == at }); at >= 0 {
						own = each[at].Err
					}
				}
				var power *big.Int
				if own == nil {
					power = new(big.Int).SetBytes(got[at])
				}
				c.one("ExpSecretList", i, power, own)
			}
		}
	}
}

func (c *caller) secretPowers() {
	m := c.open()[0]
	c.secrets(func(bases, exponents [][]byte, bits int) ([][]byte, error) {
		return m.ExpSecretList(c.ctx(), bases, exponents, bits)
	})
}

func (c *caller) secretTables() {
	table := c.table(true)
	c.secrets(func(_, exponents [][]byte, bits int) ([][]byte, error) {
		return table.ExpSecretList(c.ctx(), exponents, bits)
	})
}

var workloads = map[string]func(*caller){
	"power": (*caller).each, "powmod": (*caller).each, "each": (*caller).each,
	"list": (*caller).lists, "base_list": (*caller).lists, "exponent_list": (*caller).lists,
	"product": (*caller).products, "product_list": (*caller).products,
	"fixed_base": (*caller).fixedBase, "fixed_base_list": (*caller).fixedBase, "fixed_base_file": (*caller).fixedBase,
	"squaring": (*caller).squarings, "squaring_resumed": (*caller).squarings,
	"invert": (*caller).inverses, "invert_list": (*caller).inverses,
	"secret_list":       (*caller).secretPowers,
	"secret_fixed_base": (*caller).secretTables, "secret_fixed_base_list": (*caller).secretTables,
	"mul_list": (*caller).multiplications, "square_list": (*caller).multiplications, "mul_each": (*caller).multiplyEach,
	"value_product": (*caller).multiplications, "running_product": (*caller).multiplications,
	"is_prime": (*caller).primality, "is_prime_list": (*caller).primality,
	"next_prime": (*caller).primes, "previous_prime": (*caller).primes, "primes_between": (*caller).primes,
	"jacobi": (*caller).symbols, "jacobi_list": (*caller).symbols, "kronecker": (*caller).kronecker,
	"sqrt_mod": (*caller).roots, "sqrt_mod_list": (*caller).roots, "sqrt_mod_all": (*caller).everyRoot,
	"estimate_prime": (*caller).estimate,
	"prove_squaring": (*caller).proofs, "verify_squaring": (*caller).proofs,
}

func TestGeneratedCalls(t *testing.T) {
	if _, err := os.Stat("../crates"); errors.Is(err, os.ErrNotExist) {
		t.Skip("the calls are in the repository of Pingala, which this module is not a part of")
	}
	count := map[string]int{}
	for _, name := range callsFiles {
		makeCallsOf(t, name, count)
	}
	for name := range workloads {
		if name != "each" && name != "mul_each" && count[name] < 60 {
			t.Errorf("%d calls of %s", count[name], name)
		}
	}
	for name := range notOffered {
		if name != "secret factors" && count[name] < 60 {
			t.Errorf("%d calls of %s", count[name], name)
		}
	}
}

// makeCallsOf makes the calls of a file and counts them.
func makeCallsOf(t *testing.T, name string, count map[string]int) {
	file, err := os.Open(filepath.Join(cmp.Or(os.Getenv("PINGALA_CALLS"), "../vectors"), name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		call, err := readCall(lines.Text())
		if err != nil {
			t.Fatalf("%v\n%s", err, lines.Text())
		}
		name := call.workload
		if other, ok := notOffered[name]; ok {
			if name = other.instead; name == "" {
				count[call.workload]++
				continue
			}
		}
		makeCalls := workloads[name]
		if makeCalls == nil {
			t.Fatalf("the driver does not know the workload\n%s", call.line)
		}
		c := &caller{T: t, generatedCall: call}
		makeCalls(c)
		if c.compared == 0 && len(call.elements) > 0 {
			t.Errorf("nothing was compared\n%s", call.line)
		}
		count[call.workload]++
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestUnknownOptionsOfCalls(t *testing.T) {
	line := "power 1 threads=1 cap=0 blinded=0 timeout=none memory=0 kernel=- plan=0 moduli=7 powers=0,2,3 results=1"
	if _, err := readCall(line); err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{{" threads", " strands"}, {" cap=0", " cap=0 speed=1"}, {" cap=0", " cap=0 cap=0"}, {"results=1", "results=1;2"}} {
		if _, err := readCall(strings.Replace(line, change[0], change[1], 1)); err == nil {
			t.Errorf("%v is not refused", change)
		}
	}
}

func TestWhatIsNotOfferedDoesNotExist(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	exported := map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncDecl:
				exported[node.Name.Name] = true
			case *ast.TypeSpec:
				exported[node.Name.Name] = true
			}
			return true
		})
	}
	if !exported["ExpSecretList"] || !exported["FixedBase"] {
		t.Fatal("the names of the package were not found")
	}
	for workload, row := range notOffered {
		for _, name := range row.names {
			if exported[name] {
				t.Errorf("%s exists: calls of %s are to go by it", name, workload)
			}
		}
		if workloads[workload] != nil || row.instead != "" && workload != "secret factors" && workloads[row.instead] == nil {
			t.Errorf("%s stands in both tables, or in none", workload)
		}
	}
}
