import { explainRefusal } from './explain-refusal.ts'

const pauseMs = { first: 1_000, most: 60_000 }

/**
 * A stream of server-sent events that is opened again whatever ended it. A browser itself comes back after a broken connection, but never
 * after an answer that is not a stream: that of the proxy while Hydrant restarts, or of the sign-in page. `address` is asked for each time.
 * `onRefused` receives the reason if it could not be opened. Returns a function that closes it.
 */
export function keepOpen(
  address: () => string,
  attach: (source: EventSource) => void,
  onRefused?: (reason: string) => void,
): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = pauseMs.first
  let isClosed = false

  function open(): void {
    const url = address()
    const opened = new EventSource(url)
    source = opened
    attach(opened)
    opened.addEventListener('open', () => {
      waitMs = pauseMs.first
    })
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return
      const pause = waitMs
      waitMs = Math.min(2 * waitMs, pauseMs.most)
      timer = setTimeout(open, pause)
      if (onRefused) void explain(url, pause, onRefused)
    })
  }

  /** Also follows the Retry-After of the response. */
  async function explain(url: string, pause: number, tell: (reason: string) => void): Promise<void> {
    const pending = timer
    const refusal = await explainRefusal(url)
    if (refusal === null || isClosed || timer !== pending) return
    tell(refusal.reason)
    if (refusal.retryAfterMs === null || refusal.retryAfterMs <= pause) return
    clearTimeout(timer)
    timer = setTimeout(open, refusal.retryAfterMs)
  }

  /** The browser has a network again: no reason to wait for the rest of a pause. */
  function openNow(): void {
    if (source.readyState !== EventSource.CLOSED) return
    clearTimeout(timer)
    timer = undefined
    waitMs = pauseMs.first
    open()
  }

  open()
  addEventListener('online', openNow)
  return () => {
    isClosed = true
    removeEventListener('online', openNow)
    clearTimeout(timer)
    source.close()
  }
}
