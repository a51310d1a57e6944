'use client'
import { useCallback, useRef, useState } from 'react'
import { formatWhole } from '#lib/format-whole.ts'
import { Link } from '#ui/link.tsx'
import type { LineView, PageView } from './line-view.ts'
import { LogList } from './log-list.tsx'
import type { PageAddress } from './open-line.tsx'

type Props = {
  first: PageView
  /** The next page, for readers without JavaScript. */
  olderHref: string | null
  address: PageAddress
  columns: readonly string[]
  hasDate: boolean
}

/** The lines of a search, which get more as one scrolls. */
export function PagedList({ first, olderHref, address, columns, hasDate }: Props) {
  const [lines, setLines] = useState<readonly LineView[]>(first.lines)
  const [more, setMore] = useState(first.more)
  const [isFailed, setFailed] = useState(false)
  const fetching = useRef<string | null>(null)
  const readMore = useCallback(() => {
    if (more === null || fetching.current === more) return
    fetching.current = more
    setFailed(false)
    fetch(more)
      .then(async response => {
        if (!response.ok) throw new Error(String(response.status))
        const page: PageView = await response.json()
        setLines(before => [...before, ...page.lines])
        setMore(page.more)
      })
      .catch(() => setFailed(true))
      .finally(() => {
        fetching.current = null
      })
  }, [more])
  const onEnd = isFailed ? undefined : readMore
  return (
    <>
      <LogList lines={lines} address={address} columns={columns} hasDate={hasDate} {...(onEnd ? { onEnd } : {})} />
      <footer className="lfoot">
        <span role="status">
          {isFailed
            ? 'Older lines could not be loaded.'
            : more === null
              ? `${formatWhole(lines.length)} ${lines.length === 1 ? 'line' : 'lines'}, newest first. No older lines match.`
              : 'Newest first.'}
        </span>
        <span className="pages">
          {isFailed ? (
            <button type="button" className="btn s" onClick={readMore}>
              Try again
            </button>
          ) : null}
          {olderHref !== null && lines.length === first.lines.length ? (
            <Link className="btn s" href={olderHref} rel="next">
              Older lines
            </Link>
          ) : null}
        </span>
      </footer>
    </>
  )
}
