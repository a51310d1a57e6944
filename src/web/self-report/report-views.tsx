'use client'
import { useParams, usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'

const maxPerPage = 50
/** The page is drawn and its requests have ended. */
const settledMs = 1_500

/** Reports page loads and navigations of our own pages to the internal project, with what the router fetched. */
export function ReportViews() {
  const path = usePathname()
  const params = useParams()
  const begun = useRef<{ at: number; isTraverse: boolean } | null>(null)
  const sent = useRef({ count: 0, path: '' })
  useEffect(() => {
    const note = (isTraverse: boolean) => () => {
      begun.current = { at: performance.now(), isTraverse }
    }
    const [onPress, onTraverse] = [note(false), note(true)]
    window.addEventListener('click', onPress, true)
    window.addEventListener('keydown', onPress, true)
    window.addEventListener('popstate', onTraverse, true)
    return () => {
      window.removeEventListener('click', onPress, true)
      window.removeEventListener('keydown', onPress, true)
      window.removeEventListener('popstate', onTraverse, true)
    }
  }, [])
  useEffect(() => {
    if (sent.current.path === path || sent.current.count >= maxPerPage || !isReported()) return
    const isLoad = sent.current.count === 0
    sent.current = { count: sent.current.count + 1, path }
    const { at, isTraverse } = begun.current ?? { at: performance.now(), isTraverse: false }
    const to = performance.now()
    // Also if the next page is opened before.
    setTimeout(() => {
      const send = import('./send-view.ts').then(({ sendView }) =>
        sendView(path, params, isLoad ? null : { from: at, to, isTraverse }),
      )
      send.catch(() => undefined) // a new build has replaced the file; the view is not worth an error
    }, settledMs)
  }, [path, params])
  return null
}

const isReported = () => document.querySelector('meta[name="hydrant-report-dsn"]') !== null
