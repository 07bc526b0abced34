// Calls that run elsewhere: on the workers of WebAssembly, or on threads of the addon. A bounded queue keeps those that wait.

import { handed } from './bigint.js'
import { PingalaError, badArgument } from './errors.js'
import { TIMEOUT } from './number.js'

/** The error of a call whose signal was aborted. */
function aborted (signal) {
  return signal.reason ?? new DOMException('This operation was aborted', 'AbortError')
}

/** The request of a part with what is left of the time of its call; an error if nothing is. */
function timed ({ request, end }) {
  if (end === undefined) return request
  const left = end - performance.now()
  if (left <= 0) throw new PingalaError('interrupted', 'interrupted: the time of the call is over')
  return { ...request, settings: request.settings.with(TIMEOUT, Math.ceil(left)) }
}

/**
 * Runs parts of calls. A runner has `run(part, onProgress)`, which returns a promise, `stop()`, which ends what runs, and `lost`, true once
 * it can run no more; `open()` makes one.
 */
export class Scheduler {
  constructor (open, limits) {
    this.open = open
    this.limits = limits
    this.idle = []
    this.busy = new Set()
    this.waiting = []
  }

  /** Computes the parts of a call; resolves to their answers in order. */
  submit (parts, { signal, onProgress } = {}) {
    if (signal?.aborted) return Promise.reject(aborted(signal))
    if (this.waiting.length >= this.limits.queue) {
      return Promise.reject(badArgument(`the queue is full: ${this.waiting.length} calls wait; await some first, or configure({ queue })`))
    }
    return new Promise((resolve, reject) => {
      const total = parts.reduce((sum, part) => sum + part.count, 0)
      const finished = parts.map(() => 0)
      const call = { parts, next: 0, left: parts.length, answers: [], running: new Set(), over: false }
      const end = (settle, value) => {
        if (call.over) return
        call.over = true
        signal?.removeEventListener('abort', abort)
        const place = this.waiting.indexOf(call)
        if (place >= 0) this.waiting.splice(place, 1)
        for (const runner of call.running) runner.stop()
        settle(value)
      }
      const abort = () => end(reject, aborted(signal))
      call.failed = error => end(reject, error)
      call.progress = (index, done) => {
        finished[index] = done
        if (!call.over) onProgress?.(finished.reduce((sum, part) => sum + part, 0), total)
      }
      call.answered = (index, answer) => {
        call.answers[index] = answer
        call.left -= 1
        try {
          call.progress(index, parts[index].count)
        } catch (error) {
          return end(reject, error)
        }
        if (call.left === 0) end(resolve, call.answers)
      }
      signal?.addEventListener('abort', abort)
      this.waiting.push(call)
      this.work()
    })
  }

  /** Gives waiting parts to runners that are free. */
  work () {
    while (this.waiting.length > 0 && this.busy.size < this.limits.workers) {
      let runner
      try {
        do runner = this.idle.pop() ?? this.open()
        while (runner.lost)
      } catch (error) {
        this.waiting[0].failed(error)
        continue
      }
      const call = this.waiting[0]
      const index = call.next++
      if (call.next === call.parts.length) this.waiting.shift()
      this.busy.add(runner)
      call.running.add(runner)
      const done = () => {
        call.running.delete(runner)
        this.busy.delete(runner)
        if (!runner.lost) this.idle.push(runner)
      }
      runner.run(call.parts[index], finished => {
        try {
          call.progress(index, finished)
        } catch (error) {
          call.failed(error)
        }
      }).then(
        answer => { done(); call.answered(index, answer); this.work() },
        error => {
          const { start } = call.parts[index]
          if (start > 0 && error?.index !== undefined) error.index += start
          done()
          call.failed(error)
          this.work()
        })
    }
  }

  forget (id) {
    for (const runner of [...this.idle, ...this.busy]) runner.forget(id)
  }

  /** Ends every runner; calls that run get an error. */
  close () {
    for (const runner of this.idle.splice(0)) runner.end()
    for (const runner of this.busy) runner.stop()
  }
}

/** A worker with its own instance of the module. `connect(onMessage, onEnd)` starts one: `post`, `end`, `hold(busy)`. */
export class WorkerRunner {
  constructor (connect, module, encode, decode) {
    this.lost = false
    this.encode = encode
    this.decode = decode
    this.known = new Set()
    this.current = null
    this.worker = connect(
      message => this.heard(message),
      reason => this.ended(`the worker ended: ${reason}`))
    this.worker.post({ module }, [])
  }

  run (part, onProgress) {
    return new Promise((resolve, reject) => {
      this.current = { resolve, reject, onProgress, asBytes: part.request.asBytes }
      this.worker.hold(true)
      try {
        const request = timed(part)
        const powers = handed(request)
        if (powers !== null) return this.worker.post({ powers }, [])
        const { subject } = request
        let making
        if (subject !== undefined && !this.known.has(subject.id)) {
          making = this.encode(subject.made(), 0)
          this.known.add(subject.id)
        }
        const message = this.encode(request, 0)
        this.worker.post({ message, subject: subject?.id, making }, [message, making].filter(Boolean).map(one => one.buffer))
      } catch (error) {
        this.settle(reject, error)
      }
    })
  }

  settle (settle, value) {
    this.current = null
    this.worker.hold(false)
    settle(value)
  }

  heard ({ answer, value, progress, error, lost }) {
    const { current } = this
    if (current === null) return
    if (progress !== undefined) return current.onProgress(progress[0])
    // An instance that trapped is a new one now, without objects.
    if (lost) this.known.clear()
    if (error !== undefined) return this.settle(current.reject, new PingalaError(error.code, error.message, error.index))
    if (value !== undefined) return this.settle(current.resolve, value)
    try {
      this.settle(current.resolve, this.decode(answer, current.asBytes))
    } catch (error) {
      this.settle(current.reject, error)
    }
  }

  /** A worker cannot look up from its work, so it is ended; another one takes its place. */
  stop () {
    this.ended('it was stopped')
  }

  /** A worker that failed may still be there. */
  ended (reason) {
    this.end()
    if (this.current !== null) {
      const { reject } = this.current
      this.current = null
      reject(new PingalaError('interrupted', `interrupted: ${reason}`))
    }
  }

  end () {
    this.lost = true
    this.worker.end()
  }

  forget (id) {
    if (this.known.delete(id)) this.worker.post({ forget: id }, [])
  }
}

/** A place for one call on a thread of the addon. */
export class ThreadRunner {
  constructor (engine) {
    this.engine = engine
    this.lost = false
    this.task = null
  }

  async run (part, onProgress) {
    const request = timed(part)
    const handle = request.subject === undefined ? 0 : request.subject.handle()
    this.task = this.engine.start(request, handle, onProgress)
    try {
      return await this.task.promise
    } finally {
      this.task = null
    }
  }

  stop () {
    this.task?.stop()
  }

  end () {}

  forget () {}
}
