'use client'
import { useParams, usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import type { OwnView } from './view-spans.ts'

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
    if (sent.current.path === path || sent.current.count >= maxPerPage) return
    const isLoad = sent.current.count === 0
    sent.current = { count: sent.current.count + 1, path }
    const { at, isTraverse } = begun.current ?? { at: performance.now(), isTraverse: false }
    const to = performance.now()
    // Also if the next page is opened before.
    setTimeout(() => void send(path, params, isLoad ? null : { from: at, to, isTraverse }), settledMs)
  }, [path, params])
  return null
}

type Move = { from: number; to: number; isTraverse: boolean }

/** `move` is null for a page load. */
async function send(path: string, params: Record<string, string | string[] | undefined>, move: Move | null) {
  const dsn = document.querySelector<HTMLMetaElement>('meta[name="hydrant-report-dsn"]')?.content
  if (!dsn) return
  try {
    const { patternOf, viewEnvelope } = await import('./view-spans.ts')
    const route = patternOf(path, params)
    const view = move === null ? pageLoad(route) : navigation(route, move)
    const randomHex = (bytes: number) =>
      Array.from(crypto.getRandomValues(new Uint8Array(bytes)), byte => byte.toString(16).padStart(2, '0')).join('')
    await fetch('/tunnel/', { method: 'POST', body: viewEnvelope(dsn, view, randomHex), keepalive: true })
  } catch {
    // It could not be sent; an error about that would be one more request.
  }
}

const absolute = (at: number): number => performance.timeOrigin + at

function pageLoad(route: string): OwnView {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime
  return {
    ...{ kind: 'pageload', route, isTraverse: false, from: absolute(0), fetches: [] },
    to: absolute(entry?.loadEventEnd || performance.now()),
    vitals: { ...(entry && { ttfb: entry.responseStart }), ...(paint !== undefined && { fcp: paint }) },
  }
}

function navigation(route: string, { from, to, isTraverse }: Move): OwnView {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  const own = entries.filter(({ name, startTime }) => /[?&]_rsc=/.test(name) && startTime >= from && startTime <= to)
  return {
    ...{ kind: 'navigation', route, isTraverse, from: absolute(from), vitals: {} },
    to: absolute(Math.max(to, ...own.map(({ responseEnd }) => responseEnd))),
    fetches: own.map(({ startTime, responseEnd, transferSize }) => ({
      from: absolute(startTime),
      to: absolute(responseEnd),
      bytes: transferSize,
    })),
  }
}
