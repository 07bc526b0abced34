# Integer#pow of Ruby.
def show(key)
  answer = begin
    yield
  rescue ArgumentError, RangeError, ZeroDivisionError => error
    "error #{error.class}"
  end
  puts "#{key}\t#{answer}"
end

puts "version\t#{RUBY_VERSION}"
[
  ['power of a negative modulus', 3, 2, -7],
  ['power of a negative exponent', 3, -1, 7],
  ['power of a negative exponent without an inverse', 2, -1, 4],
  ['power of modulus 1', 3, 0, 1],
  ['power of modulus 0', 3, 2, 0],
  ['power of 0 and 0', 0, 0, 7],
  ['power of a negative base', -3, 3, 7],
  ['power of a negative base and exponent', -3, -1, 7],
  ['power of an even modulus', 3, 5, 10]
].each { |key, b, e, m| show(key) { b.pow(e, m) } }
