'use client'
import { useEffect, useState } from 'react'
import { Mark } from '#ui/mark.tsx'
import { useLive } from '#web/live/use-live.ts'
import { useRefresh } from '#web/live/use-refresh.ts'

/** Counts the seconds and refreshes the page as soon as the project receives something. */
export function WaitingHead({
  organizationSlug,
  projectId,
  host,
}: {
  organizationSlug: string
  projectId: number
  host: string
}) {
  const refresh = useRefresh()
  const [seconds, setSeconds] = useState(0)
  useLive(organizationSlug, stats => {
    if (stats.some(each => each.projectId === projectId)) refresh()
  })
  useEffect(() => {
    const timer = setInterval(() => setSeconds(before => before + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className="hd" role="status">
      <Mark size={32} />
      <span>
        <span className="tl">Waiting for the first event</span>
        <span className="sub">
          This page updates automatically.
          <noscript> Without JavaScript, reload it.</noscript>
        </span>
      </span>
      <span className="r" aria-hidden="true">
        <span className="mono">{clock(seconds)}</span>
        <br />
        listening on {host}
      </span>
    </div>
  )
}

function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds} s` : `${minutes} m ${seconds % 60} s`
}
