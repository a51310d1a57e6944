import { clipText } from '#lib/text.ts'
/** Why a stream could not be opened. An `EventSource` has no status, so the address is fetched once more. */
export type Refusal = {
  reason: string
  /** When to try again, if the server has said it. */
  retryAfterMs: number | null
}

/** Null if it could be opened now. */
export async function explainRefusal(address: string): Promise<Refusal | null> {
  const gone = new AbortController()
  try {
    const response = await fetch(address, { headers: { accept: 'text/event-stream' }, signal: gone.signal })
    if (response.ok) return null
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const retryAfterMs = Number.isFinite(seconds) ? seconds * 1_000 : null
    if (response.status === 401) return { reason: 'You are signed out. Reload the page to sign in.', retryAfterMs }
    return { reason: (await readDetail(response)) ?? `The server answered with ${response.status}.`, retryAfterMs }
  } catch {
    return { reason: 'Couldn’t reach Hydrant.', retryAfterMs: null }
  } finally {
    gone.abort() // a stream that was opened after all
  }
}

const maxChars = 200

async function readDetail(response: Response): Promise<string | null> {
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/plain')) return (await response.text()).trim().slice(0, maxChars)
  if (!type.startsWith('application/json')) return null
  const body: unknown = await response.json().catch(() => null)
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null
  return typeof detail === 'string' ? clipText(detail, maxChars) : null
}
