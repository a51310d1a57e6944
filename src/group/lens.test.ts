import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '#protocol/event.ts'
import { makeError } from '../../test/make-event.ts'
import { readEvent } from '../../test/read-event.ts'
import { explainGrouping } from './explain-grouping.ts'
import { groupEvent } from './group-event.ts'

const hash = (event: StoredEvent) => groupEvent(event).hash
const inBrowser = (value: string, fields: Partial<StoredEvent> = {}): StoredEvent => ({
  ...makeError('Error', value),
  platform: 'javascript',
  transaction: '/items/:id',
  ...fields,
})

describe('deploy skew', () => {
  const chunk = (value: string, release: string) => ({ ...makeError('ChunkLoadError', value), release })

  it('is one issue for each release, whatever could not be loaded', () => {
    const one = chunk('Loading chunk 12 failed.', 'shop@1.0.0')
    expect(hash(chunk('Failed to load chunk /_next/static/chunks/a1.js from module 7', 'shop@1.0.0'))).toBe(hash(one))
    expect(hash({ ...one, transaction: '/cart' })).toBe(hash(one))
    expect(hash(chunk('Loading chunk 12 failed.', 'shop@1.1.0'))).not.toBe(hash(one))
  })

  it('two recorded chunk loads of one visit are one issue that says so', () => {
    const [first, second] = [readEvent('next-chunkload/009'), readEvent('next-chunkload/010')]
    expect(hash(first)).toBe(hash(second))
    expect(groupEvent(first).title).toBe('DeploySkew: a part of the app could not be loaded, release web@1.0.0')
    expect(explainGrouping(first)).toMatchObject({ strategy: 'deploy_skew' })
  })

  it('without a release is one issue still', () => {
    expect(hash(chunk('Loading chunk 1 failed.', ''))).toBe(hash(chunk('Loading chunk 2 failed.', '')))
  })
})

describe('hydration', () => {
  const mismatch = 'Minified React error #418; visit https://react.dev/errors/418?args[]=text&args[]= for'
  const seen = (server: string, client: string, fields: Partial<StoredEvent> = {}) =>
    inBrowser(mismatch, { contexts: { hydrant_hydration: { server, client, path: 'body' } }, ...fields })

  it('is one issue for each route and cause', () => {
    const clock = seen('<b>3 days ago</b>', '<b>4 days ago</b>')
    expect(hash(seen('<b>yesterday</b>', '<b>2 days ago</b>'))).toBe(hash(clock))
    expect(hash(seen('<b>3 days ago</b>', '<b>4 days ago</b>', { transaction: '/cart' }))).not.toBe(hash(clock))
    expect(hash(seen('<b>Sign in</b>', '<b>Ada</b>'))).not.toBe(hash(clock))
  })

  it('the three errors that React 18 makes of one mismatch stay together', () => {
    const contexts = { hydrant_hydration: { server: '<b>3 days ago</b>', client: '<b>4 days ago</b>' } }
    const errors = [425, 418, 423].map(code =>
      inBrowser(`Minified React error #${code}; visit https://reactjs.org/docs/error-decoder.html?invariant=${code}`, {
        contexts,
      }),
    )
    expect(new Set(errors.map(hash)).size).toBe(1)
  })

  it('has a title that shows what differs, or else what is known', () => {
    expect(groupEvent(seen('<b>3 days ago</b>', '<b>4 days ago</b>')).title).toBe(
      'HydrationError: “3 days ago” became “4 days ago”',
    )
    const wide = ['<main><h1>Sale</h1><b>3 days ago</b></main>', '<main><h1>Sale</h1><b>4 days ago</b></main>'] as const
    expect(groupEvent(seen(...wide)).title).toBe('HydrationError: “3 days ago” became “4 days ago”')
    expect(groupEvent(readEvent('next-hydration/003')).title).toBe(
      'HydrationError: the text of server and browser differs',
    )
  })
})
