// What the calls have in common: settings, lists, and a form that computes here and one that computes elsewhere.

import { call } from './engine.js'
import { callLater } from './later.js'
import { PingalaError, badArgument, wrongType } from './errors.js'
import { NUMBER_BITS, integers, isBytes, options, setting } from './number.js'

export const LATER = ['signal', 'onProgress']

/** The settings that every operation has, then those of one. */
export function settings (given, ...own) {
  return [
    setting(given.threads, 'threads', 1, 4096),
    setting(given.maxExponentBits, 'maxExponentBits', 1, NUMBER_BITS),
    flag(given.blinding, 'blinding', true) ? 0 : 1,
    setting(given.maxModulusBits, 'maxModulusBits', 1, NUMBER_BITS),
    setting(given.memory, 'memory', 1, Number.MAX_SAFE_INTEGER),
    setting(given.timeout, 'timeout', 1, Number.MAX_SAFE_INTEGER),
    ...own
  ]
}

/** The texts that every operation has: a kernel and a plan. */
export function texts ({ kernel, plan }) {
  const all = Object.entries({ kernel, plan }).map(([name, value]) => {
    if (value !== undefined && typeof value !== 'string') throw wrongType(name, 'a string', value)
    return value ?? ''
  })
  return all.some(text => text !== '') ? all : []
}

export function flag (value, what, otherwise = false) {
  if (value === undefined) return otherwise
  if (typeof value !== 'boolean') throw wrongType(what, 'true or false', value)
  return value
}

/**
 * Makes both forms of a call out of `prepare(...arguments)`, whose last argument are the options. It returns `request`, and may return
 * `finish(answer)`, `failed(error)`, `split`, and `subject`, an object to close afterwards.
 */
export function forms (prepare) {
  const now = (...given) => {
    const { request, finish, failed, own } = prepare([], ...given)
    try {
      request.subject?.check()
      const answer = call(request)
      return finish === undefined ? answer : finish(answer)
    } catch (error) {
      throw failed === undefined ? error : failed(error)
    } finally {
      own?.close()
    }
  }
  const later = async (...given) => {
    const { request, finish, failed, own, split, later } = prepare(LATER, ...given)
    try {
      const answer = await callLater(request, later, split)
      return finish === undefined ? answer : finish(answer)
    } catch (error) {
      throw failed === undefined ? error : failed(error)
    } finally {
      own?.close()
    }
  }
  return [now, later]
}

/** What becomes of the errors of elements. */
export function policy ({ errors = 'throw' }) {
  if (errors === 'return') return answers => answers
  if (errors !== 'throw') throw badArgument(`errors is ${JSON.stringify(errors)}, and not "throw" or "return"`)
  return answers => {
    const bad = answers.findIndex(answer => answer instanceof PingalaError)
    if (bad < 0) return answers
    const { code, message } = answers[bad]
    throw new PingalaError(code, `element ${bad}: ${message}`, bad)
  }
}

/** A list, or one integer that stands for all elements if it may. */
function column (values, what, mayBeOne) {
  const single = mayBeOne && (typeof values === 'bigint' || typeof values === 'number' || isBytes(values))
  return { what, single, values: integers(single ? [values] : values, what) }
}

/** Lists and single integers with the number of elements that all of them have; each is given with its name, and false if it must be a list. */
export function columns (...named) {
  const all = named.map(([values, what, mayBeOne = true]) => column(values, what, mayBeOne))
  const lists = all.filter(one => !one.single)
  if (lists.length === 0) throw wrongType(all[0].what, 'a list, or one of the others', named[0][0])
  const count = lists[0].values.length
  const other = lists.find(list => list.values.length !== count)
  if (other !== undefined) throw badArgument(`${lists[0].what} has ${count} elements, ${other.what} has ${other.values.length}`)
  return { count, lists: all.map(one => one.values) }
}

/** Takes the options of a call apart, those of its asynchronous form too. */
export function readOptions (given, known, extra) {
  const read = options(given, [...known, ...extra])
  return { read, later: { signal: read.signal, onProgress: read.onProgress } }
}
