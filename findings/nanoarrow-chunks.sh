#!/usr/bin/env bash
# nanoarrow 0.9.0: an Array of two chunks offers Arrow's interface for one array, which then raises, and the one for streams, which works.
# Guess: an object has the method `__arrow_c_array__` only if the call gives an array.
# What happens: ValueError. A consumer that looks for this method first cannot read such arrays.
# For our users: columns of Pingala ask for the stream when the array is refused.
. "$(dirname "$0")/lib.sh"
python nanoarrow==0.9.0 pyarrow==26.0.1 <<'PROGRAM'
import nanoarrow
import pyarrow as pa

print("nanoarrow", nanoarrow.__version__)
array = nanoarrow.Array(pa.chunked_array([[1, 2], [3]]))
assert array.n_chunks == 2
try:
    array.__arrow_c_array__()
except ValueError as error:
    print("array:", error)
else:
    raise SystemExit("the array is given now")
stream = pa.chunked_array(array).to_pylist()
print("stream:", stream)
assert stream == [1, 2, 3]
PROGRAM
