/** Loaded when a page has settled, so that no page is heavier for it. */
import { type OwnView, patternOf, viewEnvelope } from './view-spans.ts'

type Move = { from: number; to: number; isTraverse: boolean }

/** `move` is null for a page load. */
export async function sendView(
  path: string,
  params: Record<string, string | string[] | undefined>,
  move: Move | null,
): Promise<void> {
  const dsn = document.querySelector<HTMLMetaElement>('meta[name="hydrant-report-dsn"]')?.content
  if (!dsn) return
  try {
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
