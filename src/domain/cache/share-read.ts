import { readSignal, withReadSignal } from '#lib/read-signal.ts'

export type SharedRead<Value> = {
  value: Promise<Value>
  /** The current request waits for it too. */
  join(): void
}

/**
 * A read with several waiters. It is cancelled when the last of them has left; the request that started it may be the first to leave.
 * `onAbandoned` is called then, so that new requests start a new read.
 */
export function shareRead<Value>(load: () => Promise<Value>, onAbandoned: () => void): SharedRead<Value> {
  const ended = new AbortController()
  const left = new AbortController() // removes the listeners from all request signals
  let waiting = 0
  let isSettled = false
  const settle = (): void => {
    isSettled = true
    left.abort()
  }
  const value = withReadSignal(ended.signal, load)
  value.then(settle, settle)

  return {
    value,
    join() {
      if (isSettled) return
      waiting += 1
      const signal = readSignal()
      const leave = (): void => {
        waiting -= 1
        if (waiting > 0 || isSettled) return
        onAbandoned()
        ended.abort(signal?.reason)
      }
      if (signal?.aborted) leave()
      else signal?.addEventListener('abort', leave, { once: true, signal: left.signal })
    },
  }
}
