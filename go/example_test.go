package pingala_test

import (
	"context"
	"fmt"
	"math/big"

	"example.org/pingala"
)

// One power, and a list of powers with one exponent.
func Example() {
	modulus, err := pingala.NewModulus(big.NewInt(1000003)) // prepared once, for many powers
	if err != nil {
		panic(err)
	}
	fmt.Println(modulus.Exp(nil, big.NewInt(3), big.NewInt(-5)))
	fmt.Println(modulus.ExpBases(context.Background(), []*big.Int{big.NewInt(2), big.NewInt(3)}, big.NewInt(65537)))
	// Output:
	// 637862 <nil>
	// [50199 486750] <nil>
}
