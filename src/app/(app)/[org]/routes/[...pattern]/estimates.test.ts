import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { summarizeRoute } from '#domain/routes/summarize-route.ts'
import { around, makeSums } from '../../../../../../test/make-route-sums.ts'
import { NavigationLife } from './navigation-life.tsx'
import { SummaryCells } from './route-heading.tsx'
import type { RouteView } from './route-view.ts'
import { VitalCards } from './vital-cards.tsx'

/** The texts of the page about a route, of which each page load that was sent stands for so many. */
function textsOf(weight: number, isRounded = false): string {
  const summary = summarizeRoute(makeSums({ lcp: around(900, 20), navigations: 7, weight }), isRounded)
  const view = { route: { summary, releases: [] } } as unknown as RouteView
  const parts = [
    createElement(NavigationLife, view),
    createElement(VitalCards, view),
    createElement(SummaryCells, { summary, before: null }),
  ]
  return parts.map(part => renderToStaticMarkup(part)).join('\n')
}

test('counts that are extrapolated from a sample say so, and exact ones do not', () => {
  const sampled = textsOf(4)
  expect(sampled).toContain('<b>≈ 7 navigations</b>')
  expect(sampled).toContain('75th percentile of ≈ 80 measured page loads')
  expect(sampled).toMatch(/data-label="Views"[^>]*>≈ 87</)
  expect(sampled).not.toContain('≈ 0')
  const whole = textsOf(1)
  expect(whole).toContain('<b>7 navigations</b>')
  expect(whole).toContain('75th percentile of 20 measured page loads')
  expect(whole).toMatch(/data-label="LCP p75"[^>]*>≈ 8\d\d ms</)
  // Nothing but the percentile, which is interpolated.
  expect(whole.replaceAll(/≈ 8\d\d ms/g, '')).not.toContain('≈')
})

test('counts of a chosen time that cuts the sums say so', () => {
  const rounded = textsOf(1, true)
  expect(rounded).toContain('<b>≈ 7 navigations</b>')
  expect(rounded).toMatch(/data-label="Views"[^>]*>≈ 27</)
})

test('a release with few page loads is a change, and the numbers are those of the whole time', () => {
  const releaseOf = (release: string, lcp: number, count: number) => {
    const sums = makeSums({ lcp: around(lcp, count) })
    return { release, since: 0, sums, summary: summarizeRoute(sums) }
  }
  const textOf = (newest: number) => {
    const releases = [releaseOf('web@2', 3_000, newest), releaseOf('web@1', 1_000, 80)]
    const summary = summarizeRoute(releases.flatMap(({ sums }) => sums))
    const cards = createElement(VitalCards, { route: { summary, releases } } as unknown as RouteView)
    return renderToStaticMarkup(cards).replaceAll(/<[^>]*>/g, ' ')
  }
  expect(textOf(19)).toMatch(/LCP +largest paint +≈ 1\.\d+ s +\+[12]\.\d+ s/)
  expect(textOf(19)).toContain(
    '75th percentile of 99 measured page loads on all devices; the changes are those of web@2 (19 page loads) since the previous release web@1.',
  )
  expect(textOf(20)).toMatch(/LCP +largest paint +≈ [23]\.\d+ s +\+[12]\.\d+ s/)
  expect(textOf(20)).toContain(
    'of 20 measured page loads on all devices; web@2 compared with the previous release web@1.',
  )
})
