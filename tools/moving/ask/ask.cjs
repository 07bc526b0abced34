// Packages of npm: `node ask.cjs NAME`, in a folder that has them.
const { join } = require('node:path')

const name = process.argv[2]
const load = module => require(require.resolve(module, { paths: [process.cwd()] }))

const powers = [
  ['power of a negative modulus', 3, 2, -7],
  ['power of a negative exponent', 3, -1, 7],
  ['power of a negative exponent without an inverse', 2, -1, 4],
  ['power of modulus 1', 3, 0, 1],
  ['power of modulus 0', 3, 2, 0],
  ['power of 0 and 0', 0, 0, 7],
  ['power of a negative base', -3, 3, 7],
  ['power of a negative base and exponent', -3, -1, 7],
  ['power of an even modulus', 3, 5, 10]
]

function show (key, ask) {
  let answer
  try {
    answer = ask()
  } catch (error) {
    answer = `error ${error.constructor.name}`
  }
  console.log(`${key}\t${answer}`)
}

const libraries = {
  jsbn () {
    const { BigInteger } = load('jsbn')
    const n = value => new BigInteger(String(value))
    return {
      // There is no answer modulo 0: it is not asked.
      skip: ['power of modulus 0'],
      power: (b, e, m) => n(b).modPow(n(e), n(m)),
      inverse: (a, m) => n(a).modInverse(n(m)),
      prime: a => n(a).isProbablePrime(10)
    }
  },
  'node-forge' () {
    const { BigInteger } = load('node-forge').jsbn
    const n = value => new BigInteger(String(value))
    return {
      skip: ['power of modulus 0'],
      power: (b, e, m) => n(b).modPow(n(e), n(m)),
      inverse: (a, m) => n(a).modInverse(n(m)),
      prime: a => n(a).isProbablePrime(10)
    }
  },
  'bn.js' () {
    const BN = load('bn.js')
    const n = value => new BN(value)
    return {
      power: (b, e, m) => n(b).toRed(BN.red(n(m))).redPow(n(e)).fromRed(),
      inverse: (a, m) => n(a).invm(n(m))
    }
  },
  'big-integer' () {
    const n = load('big-integer')
    return {
      power: (b, e, m) => n(b).modPow(n(e), n(m)),
      inverse: (a, m) => n(a).modInv(n(m)),
      prime: a => n(a).isProbablePrime()
    }
  },
  'bigint-mod-arith' () {
    const { modPow, modInv } = load('bigint-mod-arith')
    return {
      power: (b, e, m) => modPow(BigInt(b), BigInt(e), BigInt(m)),
      inverse: (a, m) => modInv(BigInt(a), BigInt(m))
    }
  }
}

const { skip = [], power, inverse, prime } = libraries[name]()
console.log(`version\t${load(join(process.cwd(), 'node_modules', name, 'package.json')).version}`)
for (const [key, ...numbers] of powers) if (!skip.includes(key)) show(key, () => power(...numbers))
show('inverse that is missing', () => inverse(2, 4))
show('inverse of modulus 1', () => inverse(3, 1))
if (prime) show('prime of a negative number', () => prime(-7))
