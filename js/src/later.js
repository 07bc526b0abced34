// Calls that return promises.

import { decode, encode } from './message.js'
import { badArgument } from './errors.js'
import { engine, onPlatform } from './engine.js'
import { Scheduler, ThreadRunner, WorkerRunner } from './scheduler.js'
import { TIMEOUT, held, options, setting } from './number.js'

const limits = { workers: 0, queue: 1000 }
let scheduler = null

/** Sets how many calls run at the same time, and how many may wait. */
export function configure (given) {
  const { workers, queue, workerUrl } = options(given, ['workers', 'queue', 'workerUrl'])
  limits.workers = setting(workers, 'workers', 1, 1024, limits.workers)
  limits.queue = setting(queue, 'queue', 1, 1e9, limits.queue)
  if (workerUrl !== undefined) onPlatform().workerUrl = workerUrl
}

/** Ends the workers; calls that run are rejected with the code `interrupted`. Later calls start new ones. */
export function closeWorkers () {
  scheduler?.close()
}

export function forget (id) {
  scheduler?.forget(id)
}

async function start () {
  const [current, platform] = [engine(), onPlatform()]
  const module = current.name === 'native' ? null : await current.compiledLater()
  if (limits.workers === 0) limits.workers = platform.cores()
  const open = current.name === 'native'
    ? () => new ThreadRunner(current)
    : () => new WorkerRunner(platform.connect, module, encode, decode)
  scheduler ??= new Scheduler(open, limits)
}

/** Parts of a list per worker: more make progress finer, and each costs the sharing of less work. */
const PARTS_EACH = 4

/**
 * Computes a request elsewhere. `split` names the lists of numbers whose elements belong together; without it the request is one part.
 */
export async function callLater (request, { signal, onProgress }, split) {
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') throw badArgument('signal is no AbortSignal')
  if (onProgress !== undefined && typeof onProgress !== 'function') throw badArgument('onProgress is no function')
  engine().check?.(request)
  // The caller may change its arrays while the call waits, and overwrites its secrets. It may close the object of the call.
  const { subject } = request
  subject?.enter()
  let ours
  try {
    ours = held(request)
    if (scheduler === null) await start()
    const parts = split === undefined || engine().name === 'native' ? [{ request: ours, count: split?.count ?? 1 }] : partsOf(ours, split)
    // The time of a call counts from now on, in the queue and for all of its parts.
    const timeout = ours.settings?.[TIMEOUT] ?? 0
    if (timeout > 0) for (const part of parts) part.end = performance.now() + timeout
    const answers = await scheduler.submit(parts, { signal, onProgress })
    return answers.length === 1 ? answers[0] : joined(answers)
  } finally {
    for (const one of ours?.bytes ?? []) one.fill(0)
    subject?.leave()
  }
}

function partsOf (request, { count, at }) {
  const wanted = Math.min(count, limits.workers * PARTS_EACH)
  if (wanted <= 1) return [{ request, count }]
  return Array.from({ length: wanted }, (_, part) => {
    const [start, end] = [part, part + 1].map(place => Math.floor(place * count / wanted))
    const numbers = request.numbers.map(list => list.length === count && count > 1 ? list.slice(start, end) : list)
    const settings = request.settings.slice()
    if (at !== undefined) settings[at] = end - start
    return { request: { ...request, numbers, settings }, count: end - start, start }
  })
}

function joined (answers) {
  const all = []
  for (const answer of answers) {
    for (const element of answer) {
      if (element instanceof Error) element.index = all.length
      all.push(element)
    }
  }
  return all
}
