/**
 * Runs `hold` while this tab is visible and no other visible tab holds the same name, because HTTP/1.1 allows six connections for all tabs
 * of a browser. Web Locks elect the tab; without them (plain http on another host) each visible tab has its own. `hold` resolves when it
 * is aborted. Gives a function that stops it.
 */
export function holdWhileVisible(name: string, hold: (signal: AbortSignal) => Promise<void>): () => void {
  let held: AbortController | null = null

  function onVisibilityChange(): void {
    if (document.visibilityState === 'hidden') {
      held?.abort()
      held = null
      return
    }
    if (held) return
    held = new AbortController()
    const { signal } = held
    if (!navigator.locks) return void hold(signal)
    // Aborting while waiting for the lock rejects, which is expected.
    navigator.locks.request(name, { signal }, () => hold(signal)).catch(() => {})
  }

  document.addEventListener('visibilitychange', onVisibilityChange)
  onVisibilityChange()
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange)
    held?.abort()
  }
}
