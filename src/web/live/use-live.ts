'use client'
import { useEffect, useEffectEvent } from 'react'
import type { ProjectStats } from '#domain/projects/list-projects.ts'

/** Calls back when something has arrived for the organization's projects, while this tab is open. */
export function useLive(organization: string, onPulses: (pulses: ProjectStats[]) => void): void {
  const hear = useEffectEvent(onPulses)
  useEffect(() => watchLive(organization, pulses => hear(pulses)), [organization])
}

/*
 * The browser's side: one stream per browser, held by one visible tab and passed on to the others, because HTTP/1.1 has
 * six connections. Web Locks elect the holder; where they are missing (plain http on another host) each visible tab has its own.
 */

type Hear = (pulses: ProjectStats[]) => void

function watchLive(organization: string, hear: Hear): () => void {
  const name = `hydrant-live:${organization}`
  const channel = new BroadcastChannel(name)
  channel.onmessage = event => hear(event.data)
  let turn: AbortController | null = null

  function hold(signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const source = new EventSource(`/api/live?org=${encodeURIComponent(organization)}`)
      source.onmessage = event => {
        const pulses: ProjectStats[] = JSON.parse(event.data)
        hear(pulses)
        channel.postMessage(pulses)
      }
      signal.addEventListener('abort', () => {
        source.close()
        resolve()
      })
    })
  }

  function follow(): void {
    if (document.visibilityState === 'hidden') {
      turn?.abort()
      turn = null
      return
    }
    if (turn) return
    turn = new AbortController()
    const { signal } = turn
    if (!navigator.locks) return void hold(signal)
    // Waiting for one's turn is given up by the same signal, which rejects: that is no failure.
    navigator.locks.request(name, { signal }, () => hold(signal)).catch(() => {})
  }

  document.addEventListener('visibilitychange', follow)
  follow()
  return () => {
    document.removeEventListener('visibilitychange', follow)
    turn?.abort()
    channel.close()
  }
}
