// Reads the fields of the page: 12, 1,000, 1 000, 1_000, 0xff, and sums and products of these and of powers, such as 2^521-1.

/** The longest number of the page, in bits: the worker raises it to a power while a reader waits. */
export const MOST_BITS = 1 << 18

const DECIMAL = /^(?:\d+|\d{1,3}(?:,\d{3})+)$/
const HEXADECIMAL = /^0x[\da-f]+$/i

function quoted (text) {
  return text.length > 24 ? `'${text.slice(0, 20)}…'` : `'${text}'`
}

function bits (value) {
  const digits = (value < 0n ? -value : value).toString(16)
  return digits === '0' ? 0 : 4 * digits.length
}

function short (value) {
  if (bits(value) > MOST_BITS) throw new RangeError(`a number of more than ${MOST_BITS.toLocaleString('en')} bits is too long for this page`)
  return value
}

function atom (text) {
  // A digit in decimal takes more than 3 bits.
  if (text.length > MOST_BITS / 3) return short(1n << BigInt(2 * MOST_BITS))
  if (DECIMAL.test(text)) return short(BigInt(text.replaceAll(',', '')))
  if (HEXADECIMAL.test(text)) return short(BigInt(text))
  throw new RangeError(text === '' ? 'a number is missing' : `${quoted(text)} is no number; type digits, 0x and hexadecimal digits, or such as 2^521-1`)
}

function power (text) {
  const [base, ...exponents] = text.split('^').map(atom)
  // From the right, as in a^b^c = a^(b^c).
  const exponent = exponents.reduceRight((right, left) => raised(left, right), 1n)
  return raised(base, exponent)
}

function raised (base, exponent) {
  if (base > 1n && exponent * BigInt(bits(base)) > BigInt(4 * MOST_BITS)) return short(1n << BigInt(2 * MOST_BITS))
  return base > 1n ? short(base ** exponent) : exponent === 0n ? 1n : base
}

/** The number that a text stands for. Error: RangeError with a sentence that begins in lower case. */
export function read (text) {
  const plain = text.replace(/[\s_']/g, '').replaceAll('**', '^')
  if (plain === '') throw new RangeError('a number is missing')
  const terms = plain.match(/[+-]?[^+-]*/g).filter(Boolean)
  return terms.reduce((sum, term) => {
    const [, sign, product] = term.match(/^([+-]?)(.*)$/)
    const value = product.split('*').map(power).reduce((left, right) => short(left * right))
    return short(sign === '-' ? sum - value : sum + value)
  }, 0n)
}

/** A whole number from 1 to `most`, as a field has it. Error: RangeError, as `read`. */
export function count (text, most) {
  const value = read(text)
  if (value < 1n || value > BigInt(most)) throw new RangeError(`${quoted(text.trim())} is not between 1 and ${most.toLocaleString('en')}`)
  return Number(value)
}
