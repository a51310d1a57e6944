'use client'
/** Whether the pages of Hydrant can be reached, as the requests of this tab find out. */
import { useSyncExternalStore } from 'react'
import { submissionsPath } from '#lib/submission.ts'
import { createStore } from '../create-store.ts'

const pauseMs = { first: 500, most: 5_000 }
const probeLimitMs = 10_000
/** Answers of the front, or of a proxy, that no page has given. */
const gatewayStatuses = new Set([502, 503, 504])

export const isGatewayStatus = (status: number): boolean => gatewayStatuses.has(status)

/** The browser's own, because the one of the page is watched (watch-fetch.ts). */
export const plainFetch: typeof fetch = (input, init) => browserFetch(input, init)
const browserFetch = globalThis.fetch.bind(globalThis)

const lost = createStore(false)
export const isLost = lost.get
export const useIsLost = (): boolean => useSyncExternalStore(lost.subscribe, lost.get, () => false)

/** True if the pages answer now, or a proxy that wants a sign-in first: a full load leads there. */
export async function probe(): Promise<boolean> {
  const signal = AbortSignal.timeout(probeLimitMs)
  const isUp = await plainFetch(submissionsPath, { cache: 'no-store', redirect: 'manual', signal }).then(
    response => !isGatewayStatus(response.status),
    () => false,
  )
  if (isUp) lost.set(false)
  return isUp
}

let recovery: Promise<void> | null = null

/** Resolves when the pages answer again. Callers share one probe, which also runs immediately when the browser comes back online. */
export function untilFound(): Promise<void> {
  lost.set(true)
  recovery ??= keepProbing().finally(() => {
    recovery = null
  })
  return recovery
}

async function keepProbing(): Promise<void> {
  for (let waitMs = pauseMs.first; ; waitMs = Math.min(2 * waitMs, pauseMs.most)) {
    await pause(waitMs)
    if (await probe()) return
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
  })
}
