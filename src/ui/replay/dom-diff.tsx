'use client'
import { useEffect, useState } from 'react'
import { formatMany } from '../format.ts'
import { DiffPanes } from '../react/hydration-diff.tsx'

type Change = { before: string[]; after: string[]; firstLine: number; left: number }
type Loaded = { kind: 'loading' } | { kind: 'failed'; words: string } | { kind: 'read'; change: Change }

const nothing = 'The recorded page did not change around the error, or the recording begins later.'
const gone = 'The visit was not recorded to its end, or its replay is not kept any more.'
const failed = 'The recording couldn’t be read. Reload the page to try again.'

export default function DomDiff({ href }: { href: string }) {
  const [loaded, setLoaded] = useState<Loaded>({ kind: 'loading' })
  useEffect(() => {
    const abort = new AbortController()
    fetch(href, { signal: abort.signal })
      .then(async response => {
        if (!response.ok) return setLoaded({ kind: 'failed', words: response.status === 404 ? gone : failed })
        const change = (await response.json()) as Change | null
        setLoaded(change === null ? { kind: 'failed', words: nothing } : { kind: 'read', change })
      })
      .catch(() => abort.signal.aborted || setLoaded({ kind: 'failed', words: failed }))
    return () => abort.abort()
  }, [href])
  if (loaded.kind === 'loading')
    return (
      <p className="t3" role="status">
        Reading the recording…
      </p>
    )
  if (loaded.kind === 'failed') return <p className="t2">{loaded.words}</p>
  const { before, after, firstLine, left } = loaded.change
  return (
    <>
      <DiffPanes
        firstLine={firstLine}
        left={{ title: 'Page before', side: 'server', lines: before, label: 'The page before the error' }}
        right={{ title: 'Page after', side: 'browser', lines: after, label: 'The page after the error' }}
      />
      {left > 0 ? <p className="t3">{formatMany(left, 'more line')} may differ.</p> : null}
    </>
  )
}
