'use client'
import { useEffect, useEffectEvent } from 'react'
import type { ProjectStats } from '#domain/projects/unscoped-projects.ts'
import { holdWhileVisible } from './hold-while-visible.ts'
import { keepOpen } from './keep-open.ts'

type OnStats = (stats: ProjectStats[]) => void

/** Calls `onStats` with the stats of the organization's projects, and when they receive something while this tab is visible. */
export function useLive(organization: string, onStats: OnStats): void {
  const onChange = useEffectEvent(onStats)
  useEffect(() => watchLive(organization, stats => onChange(stats)), [organization])
}

/** A new tab asks the one with the stream for the current stats. */
const question = 'current stats?'

/** One stream per browser: the tab that holds it broadcasts to the others. */
function watchLive(organization: string, onStats: OnStats): () => void {
  const name = `hydrant-live:${organization}`
  const channel = new BroadcastChannel(name)
  let isOver = false
  /** What the stream of this tab has sent so far, by project. */
  const latest = new Map<number, ProjectStats>()
  channel.onmessage = ({ data }: MessageEvent<ProjectStats[] | typeof question>) => {
    if (data !== question) onStats(data)
    else if (latest.size > 0) channel.postMessage([...latest.values()])
  }
  // The stream of another tab sends only changes from now on.
  channel.postMessage(question)

  function hold(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve() // while it waited for its turn
    return new Promise(resolve => {
      const address = `/api/live?org=${encodeURIComponent(organization)}`
      const close = keepOpen(
        () => address,
        source => {
          source.onmessage = event => {
            if (isOver) return // it was on its way
            const stats: ProjectStats[] = JSON.parse(event.data)
            for (const each of stats) latest.set(each.projectId, each)
            onStats(stats)
            channel.postMessage(stats)
          }
        },
      )
      signal.addEventListener('abort', () => {
        close()
        latest.clear()
        resolve()
      })
    })
  }

  const stop = holdWhileVisible(name, hold)
  return () => {
    isOver = true
    stop()
    channel.close()
  }
}
