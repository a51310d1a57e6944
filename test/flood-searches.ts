/** Many slow searches of log lines, by a client that hangs up or waits. */
import { get } from 'node:http'

type Flood = {
  url: string
  headers: Record<string, string>
  /** The slug of the organization. */
  org: string
  searches: number
  atOnce: number
  /** Hangs up so long after asking; null waits for the page. */
  hangUpAfterMs: number | null
  /** Ends the flood early. */
  signal?: AbortSignal
}

const patterns = 20

/** No two searches are the same, so that nothing is answered from a cache. */
export function slowSearch(org: string, number: number): string {
  const terms = Array.from({ length: patterns }, (_, n) => `message:*a*e*i*o*u*a*e*i*o*u*${n}x${number}`)
  return `/${org}/logs?${new URLSearchParams({ range: '30d', q: terms.join(' OR ') })}`
}

/** Resolves when every search was answered or given up; gives how many were. */
export async function floodSearches(flood: Flood): Promise<{ answered: number; givenUp: number }> {
  const { url, headers, org, searches, atOnce, hangUpAfterMs, signal } = flood
  const done = { answered: 0, givenUp: 0 }
  let next = 0
  async function search(): Promise<void> {
    while (next < searches && !signal?.aborted) {
      const path = slowSearch(org, next++)
      await new Promise<void>(resolve => {
        let isAnswered = false
        const request = get(url + path, { headers, agent: false }, response => {
          response.resume().on('end', () => {
            isAnswered = true
          })
        })
        const hangUp = () => request.destroy()
        const timer = hangUpAfterMs === null ? undefined : setTimeout(hangUp, hangUpAfterMs)
        signal?.addEventListener('abort', hangUp)
        request.on('error', () => undefined)
        request.on('close', () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', hangUp)
          done[isAnswered ? 'answered' : 'givenUp'] += 1
          resolve()
        })
      })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, search))
  return done
}
