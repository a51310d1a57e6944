const pauseMs = { first: 1_000, most: 60_000 }

/**
 * A stream of server-sent events that is opened again whatever ended it. A browser itself comes back after a broken connection, but never
 * after an answer that is not a stream: that of the proxy while Hydrant restarts, or of the sign-in page. `address` is asked for each time.
 * Gives a function that closes it.
 */
export function keepOpen(address: () => string, attach: (source: EventSource) => void): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = pauseMs.first

  function open(): void {
    const opened = new EventSource(address())
    source = opened
    attach(opened)
    opened.addEventListener('open', () => {
      waitMs = pauseMs.first
    })
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return
      timer = setTimeout(open, waitMs)
      waitMs = Math.min(2 * waitMs, pauseMs.most)
    })
  }

  open()
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
