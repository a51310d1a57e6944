import { describe, expect, it } from 'vitest'
import { testContext } from '../../../../test/make-record.ts'
import { readCapture } from '../../../../test/read-capture.ts'
import { processRecord } from '../../process-record.ts'
import { readMoments } from './read-moments.ts'

const at = 1_794_702_460
const crumb = (category: string, more: object = {}) => ({
  type: 5,
  timestamp: at * 1_000,
  data: { tag: 'breadcrumb', payload: { timestamp: at, category, message: 'body > button#pay', ...more } },
})
const slow = (data: object, tagName = 'button') =>
  crumb('ui.slowClickDetected', { data: { nodeId: 7, node: { tagName }, ...data } })

describe('moments of a recording', () => {
  it('are what was recorded of a visit: pages, requests and clicks', () => {
    const kinds = ['007', '009', '012', '015', '017'].flatMap(name => {
      const { rows } = processRecord(readCapture(`next-replay/${name}`), testContext)
      return (rows.replay_moments ?? []).map(({ kind, selector, status, timestamp }) => ({
        kind,
        selector,
        status,
        timestamp,
      }))
    })
    expect(kinds.filter(({ kind }) => kind === 'click').map(({ selector }) => selector)).toEqual([
      'body > main > div > button#inc',
      'body > main > div > button#throw',
    ])
    expect(kinds.filter(({ kind }) => kind === 'request').every(({ status }) => status === 200)).toBe(true)
    expect(kinds.map(({ kind }) => kind)).toContain('page')
    // Spans have seconds where breadcrumbs have milliseconds.
    for (const { timestamp } of kinds) expect(Math.abs(timestamp - at * 1_000)).toBeLessThan(60_000)
  })

  it('count a click without effect as dead, and five of them as rage', () => {
    const dead = { endReason: 'timeout', timeAfterClickMs: 7_000 }
    const read = readMoments([
      crumb('ui.click', { data: { nodeId: 7 } }),
      slow(dead),
      slow({ ...dead, clickCount: 5 }),
      slow({ ...dead, endReason: 'mutation' }),
      slow({ ...dead, timeAfterClickMs: 3_000 }),
      slow(dead, 'div'),
      crumb('ui.multiClick', { data: { clickCount: 6 } }),
      crumb('ui.multiClick', { data: { clickCount: 2 } }),
    ])
    expect(read).toMatchObject({ clicks: 1, deadClicks: 2, rageClicks: 2 })
  })

  it('have each navigation once', () => {
    const to = { data: { from: '/a', to: '/b' } }
    const span = {
      type: 5,
      timestamp: at,
      data: {
        tag: 'performanceSpan',
        payload: { op: 'navigation.push', description: 'https://shop.example/b', startTimestamp: at, endTimestamp: at },
      },
    }
    expect(readMoments([crumb('navigation', to), span]).moments).toMatchObject([{ url: 'https://shop.example/b' }])
    expect(readMoments([crumb('navigation', to)]).moments).toMatchObject([{ url: '/b' }])
  })

  it('are bounded, whatever a recording holds', () => {
    const { moments, clicks } = readMoments(Array.from({ length: 5_000 }, () => crumb('ui.click')))
    expect([moments.length, clicks]).toEqual([300, 5_000])
    for (const event of [
      {},
      { type: 5 },
      { type: 5, data: [] },
      crumb('ui.click', { timestamp: 'soon', message: {} }),
      { type: 4, timestamp: Number.NaN, data: {} },
    ])
      expect(() => readMoments([event])).not.toThrow()
    const [long] = readMoments([crumb('console', { message: 'x'.repeat(100_000) })]).moments
    expect(long?.text).toHaveLength(500)
  })
})
