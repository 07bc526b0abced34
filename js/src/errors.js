// Errors. What the engine refuses is a PingalaError with one of its stable codes; what has the wrong type is a TypeError.

/** An error of the engine. `code` is stable; `index` is the place in a list, undefined elsewhere. */
export class PingalaError extends RangeError {
  constructor (code, message, index) {
    super(message)
    this.code = code
    if (index !== undefined) this.index = index
  }
}
Object.defineProperty(PingalaError.prototype, 'name', { value: 'PingalaError', configurable: true, writable: true })

/** The TypeError of an argument. */
export function wrongType (what, expected, value) {
  const error = new TypeError(`${what} must be ${expected}, not ${described(value)}`)
  error.code = 'bad_argument'
  return error
}

/** An argument that has the right type and no possible value. */
export function badArgument (message) {
  return new PingalaError('bad_argument', `bad argument: ${message}`)
}

function described (value) {
  if (value === null) return 'null'
  if (typeof value === 'string') return `the string ${JSON.stringify(value.length > 40 ? value.slice(0, 40) + '...' : value)}`
  if (typeof value === 'object') return `an object of type ${value.constructor?.name ?? 'Object'}`
  return typeof value === 'function' ? 'a function' : `${typeof value}`
}
