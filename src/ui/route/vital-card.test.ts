import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { VitalCard } from './vital-card.tsx'

const measure = (p75: number) => ({ p75, rating: 'good' as const, count: 50 })
const render = (now: number, before: { p75: number; isSure: boolean }): string =>
  renderToStaticMarkup(
    createElement(VitalCard, {
      name: 'lcp',
      meaning: 'largest paint',
      vital: { hard: measure(now), soft: measure(now), label: 'LCP', good: 2_500, poor: 4_000 },
      before,
    }),
  )

test('only a change that is more than chance is marked as worse', () => {
  expect(render(1_300, { p75: 1_000, isSure: true })).toContain('<small class="bad">+300 ms</small>')
  const unsure = render(1_300, { p75: 1_000, isSure: false })
  expect(unsure).toContain('+300 ms, not sure')
  expect(unsure).not.toContain('bad')
  expect(render(1_020, { p75: 1_000, isSure: false })).toContain('unchanged')
})
