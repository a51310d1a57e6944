/** Requests that nobody waits for. They are kept, and left out of latencies. Header values may stand in a list. */
export type PrefetchHints = {
  /** The SDK's own word, `http.request.prefetch`. */
  prefetch: unknown
  nextPrefetch: unknown
  nextSegmentPrefetch: unknown
  middlewarePrefetch: unknown
  purpose: unknown
  secPurpose: unknown
}

export function isPrefetch(hints: PrefetchHints): boolean {
  return (
    hints.prefetch === true ||
    hints.prefetch === 'true' ||
    hints.nextPrefetch !== undefined ||
    hints.nextSegmentPrefetch !== undefined ||
    hints.middlewarePrefetch !== undefined ||
    saysPrefetch(hints.purpose) ||
    saysPrefetch(hints.secPurpose)
  )
}

function saysPrefetch(value: unknown): boolean {
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' && /prefetch|prerender|preview/i.test(first)
}
