'use client'
import { useEffect, useState } from 'react'
import { Link } from '../../link.tsx'
import { shorten } from '../../shorten.ts'
import { type MiniRow, MiniWaterfall } from '../../trace/mini-waterfall.tsx'
import { formatOffset } from '../format-offset.ts'
import styles from './player.module.css'
import type { ServerBar } from './replay-data.ts'

type Props = { path: string; tracesPath: string; servers: readonly ServerBar[]; at: number }

/** What the server did for the request nearest to the playhead. The spans are loaded when it changes. */
export function ServerWork({ path, tracesPath, servers, at }: Props) {
  const request = servers.findLast(each => each.at <= at + 500) ?? servers[0]
  const [loaded, setLoaded] = useState<{ spanId: string; rows: MiniRow[] } | null>(null)
  const spanId = request?.spanId
  const traceId = request?.traceId
  useEffect(() => {
    if (spanId === undefined || traceId === undefined) return
    const abort = new AbortController()
    // While a replay plays, requests pass quickly: only one that stays is loaded.
    const wait = setTimeout(() => {
      fetch(`${path}/server/${traceId}/${spanId}`, { signal: abort.signal })
        .then(response => (response.ok ? response.json() : []))
        .then((rows: MiniRow[]) => setLoaded({ spanId, rows }))
        .catch(() => undefined)
    }, 200)
    return () => {
      clearTimeout(wait)
      abort.abort()
    }
  }, [path, spanId, traceId])
  if (request === undefined) return null
  const rows = loaded?.spanId === request.spanId ? loaded.rows : []
  return (
    <section className={styles.server} aria-label="Server">
      <header>
        <span>
          Server during <code>{shorten(request.name, 80)}</code> at {formatOffset(request.at)}
        </span>
        <Link className="link" href={`${tracesPath}/${request.traceId}#span-${request.spanId}`}>
          Open trace {request.traceId.slice(0, 8)}
        </Link>
      </header>
      {rows.length > 0 ? <MiniWaterfall rows={rows} /> : null}
    </section>
  )
}
