//! Addition, subtraction, comparison and shifts of equal-length word slices: the linear-time ground under the products.
