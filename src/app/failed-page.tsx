'use client'
import { useEffect, useEffectEvent, useState } from 'react'
import { Blank } from '#ui/blank.tsx'
import { probe, untilFound } from '#ui/send/connection.ts'
import { describeHealth, type Health, probeHealth } from '#ui/send/health.ts'
import { reportError } from '#web/self-report/report-error.ts'

const reportStates = {
  reporting: '',
  reported: 'The error was reported to Hydrant’s own project.',
  failed: 'The error couldn’t be reported. See the browser console.',
} as const

type Props = {
  /** Errors of the server carry a digest, which is also in the server log. */
  error: Error & { digest?: string }
  onRetry: () => void
  isPage?: boolean
}

/** Shown in place of a page that failed, with a retry button. */
export function FailedPage({ error, onRetry, isPage = false }: Props) {
  const [report, setReport] = useState<keyof typeof reportStates>('reporting')
  const [health, setHealth] = useState<Health>('unknown')
  useEffect(() => {
    // The server has already reported its own errors.
    if (error.digest) return
    void reportError(error).then(isReported => setReport(isReported ? 'reported' : 'failed'))
  }, [error])
  useEffect(() => void probeHealth().then(setHealth), [])
  useRecovery(error, onRetry)
  return (
    <Blank
      isPage={isPage}
      title="This page stopped working"
      actions={
        <>
          <button type="button" className="btn primary" onClick={onRetry}>
            Try again
          </button>
          <a className="btn plain" href="/">
            Go to issues
          </a>
        </>
      }
      reference={error.digest ? `Reference: ${error.digest}` : undefined}
    >
      <span aria-live="polite">
        {describeHealth(health)} {error.digest ? 'The error is in the server log.' : reportStates[report]}
      </span>
    </Blank>
  )
}

/** A page that lost a file or an answer on the way recovers by itself, once the pages answer. */
function useRecovery(error: Error, onRetry: () => void): void {
  const retry = useEffectEvent(onRetry)
  useEffect(() => {
    const isMissing = isMissingFile(error)
    if (!isMissing && !isCutOff(error)) return
    let isHere = true
    void probe()
      .then(isUp => (isUp ? undefined : untilFound()))
      .then(() => {
        if (!isHere) return
        // A file of an earlier build is gone, and a browser doesn't ask again for one that failed.
        if (isMissing && mayReload()) location.reload()
        else if (!isMissing) retry()
      })
    return () => {
      isHere = false
    }
  }, [error])
}

const isMissingFile = (error: Error): boolean =>
  error.name === 'ChunkLoadError' || /dynamically imported module|loading chunk|load chunk/i.test(error.message)

/** The words of Chromium, Firefox, Safari and React for an answer that ended early. */
const isCutOff = (error: Error): boolean =>
  /^(?:network error|failed to fetch|load failed|NetworkError|Connection closed)/i.test(error.message)

const reloadedKey = 'hydrant-reloaded'
const pauseMs = 30_000

/** Not again and again, if the file is still missing after a reload. */
function mayReload(): boolean {
  try {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0)
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    return Date.now() - last > pauseMs
  } catch {
    return false
  }
}
