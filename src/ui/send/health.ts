'use client'
/** Lets an error page probe the server and describe its state. */
import { plainFetch } from './connection.ts'

export type Health = 'receiving' | 'not_receiving' | 'unreachable' | 'unknown'

const said: Record<Health, string> = {
  receiving: 'Events are still being received.',
  not_receiving: 'Hydrant isn’t accepting events right now.',
  unreachable: 'Couldn’t reach Hydrant.',
  unknown: '',
}

export const describeHealth = (health: Health): string => said[health]

const limitMs = 5_000

/** `/readyz` is served by the main process, which receives events, whatever state the pages are in. */
export async function probeHealth(): Promise<Health> {
  try {
    const response = await plainFetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(limitMs) })
    return readHealth(response.status, await response.text())
  } catch {
    return 'unreachable'
  }
}

/** Unknown is also the answer of a proxy that keeps this path to itself. */
export function readHealth(status: number, text: string): Health {
  if (status === 200 && text.startsWith('ready')) return 'receiving'
  return status === 503 && text.startsWith('not ready') ? 'not_receiving' : 'unknown'
}
