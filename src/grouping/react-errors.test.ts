import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '#protocol/event.ts'
import { makeError, makeFrame } from '../../test/make-event.ts'
import { readEvent } from '../../test/read-event.ts'
import { explainGrouping } from './explain-grouping.ts'
import { groupEvent } from './group-event.ts'

const hash = (event: StoredEvent) => groupEvent(event).hash
const versionsOf = (event: StoredEvent) => {
  const { version, fallbacks } = groupEvent(event)
  return [version, ...fallbacks.map(key => key.version)]
}
const inBrowser = (value: string, fields: Partial<StoredEvent> = {}): StoredEvent => ({
  ...makeError('Error', value),
  platform: 'javascript',
  transaction: '/items/:id',
  ...fields,
})

describe('deploy skew', () => {
  const chunk = (value: string, release: string) => ({ ...makeError('ChunkLoadError', value), release })

  it('is one issue per release, whatever failed to load', () => {
    const one = chunk('Loading chunk 12 failed.', 'shop@1.0.0')
    expect(hash(chunk('Failed to load chunk /_next/static/chunks/a1.js from module 7', 'shop@1.0.0'))).toBe(hash(one))
    expect(hash({ ...one, transaction: '/cart' })).toBe(hash(one))
    expect(hash(chunk('Loading chunk 12 failed.', 'shop@1.1.0'))).not.toBe(hash(one))
  })

  it('joins chunks, stylesheets and server actions of one release', () => {
    const release = 'web@1.0.0'
    const recorded = readEvent('next-chunkload/009')
    const gone = [
      recorded,
      readEvent('next-chunkload/010'),
      chunk('Loading CSS chunk 12 failed.\n(/_next/static/css/12.css)', release),
      { ...makeError('UnrecognizedActionError', 'Server Action "7f3a" was not found on the server. '), release },
      {
        ...makeError('Error', 'Failed to find Server Action "7f3a". This request might be from an older deployment.', [
          makeFrame(),
        ]),
        release,
      },
    ]
    expect(new Set(gone.map(hash)).size).toBe(1)
    expect(new Set(gone.map(event => groupEvent(event).title))).toEqual(
      new Set(['DeploySkew: open tabs request files of an old deploy (web@1.0.0)']),
    )
    expect(explainGrouping(recorded)).toMatchObject({ version: 2, strategy: 'deploy_skew' })
  })

  it('has the hash of version 1 as fallback, so that an existing issue continues', () => {
    const { version, fallbacks } = groupEvent(readEvent('next-chunkload/009'))
    expect(version).toBe(2)
    expect(fallbacks).toEqual([{ version: 1, hash: 'ca52ba97c65e3fabede43d0886d148c3' }])
  })

  it('is added to the app’s fingerprint if that contains the default', () => {
    const own = (value: string) => ({
      ...makeError('Error', value),
      release: '1',
      fingerprint: ['{{ default }}', 'checkout'],
    })
    expect(hash(own('Loading chunk 1 failed.'))).toBe(hash(own('Failed to find Server Action "7f".')))
    expect(hash(own('Loading chunk 1 failed.'))).not.toBe(hash({ ...own('Loading chunk 1 failed.'), fingerprint: [] }))
  })

  it('is one issue without a release', () => {
    expect(hash(chunk('Loading chunk 1 failed.', ''))).toBe(hash(chunk('Failed to find Server Action "7f".', '')))
  })
})

describe('assertion helpers', () => {
  const line = makeFrame({ function: 'checkOut', context_line: '  invariant(problem === null, problem)' })
  const thrown = (value: string, frame: Parameters<typeof makeFrame>[0]) =>
    makeError('Error', value, [line, makeFrame({ context_line: '    throw new Error(message)', ...frame })])

  it.each([
    ['of the app', { function: 'invariant', filename: 'src/lib/check.ts' }],
    ['of a package', { function: 'invariant', in_app: false, filename: '/srv/node_modules/invariant/invariant.js' }],
    [
      'whose name is minified',
      { function: 'i', filename: 'app:///node_modules/tiny-invariant/dist/tiny-invariant.js' },
    ],
  ])('%s: two messages from one line are two issues', (_, frame) => {
    expect(hash(thrown('The cart is empty', frame))).not.toBe(hash(thrown('The address is missing', frame)))
    expect(hash(thrown('Order 12 is gone', frame))).toBe(hash(thrown('Order 15 is gone', frame)))
    const why = explainGrouping(thrown('The cart is empty', frame))
    expect(why).toMatchObject({ strategy: 'assertion' })
    expect(why?.parts.at(-1)).toMatchObject({ kind: 'message', value: 'The cart is empty' })
    expect(why?.ignored.filter(({ what }) => what.startsWith('message'))).toEqual([])
  })

  it('that only call the throwing function change nothing', () => {
    const deep = makeError('Error', 'x', [makeFrame({ function: 'invariant' }), makeFrame({ function: 'format' })])
    expect(explainGrouping(deep)?.strategy).toBe('stack')
    expect(versionsOf(deep)).toEqual([3, 1])
  })
})

describe('installed packages of Python', () => {
  const own = makeFrame({ function: 'pay', filename: 'shop/cart.py', context_line: 'db.get(item)' })
  const inPackage = (name: string) => ({
    ...makeError('KeyError', 'x', [
      own,
      makeFrame({ function: name, in_app: true, abs_path: '/usr/lib/python3/dist-packages/flask/app.py' }),
    ]),
    platform: 'python',
  })

  it('are not in-app, whatever the SDK sends', () => {
    expect(hash(inPackage('get'))).toBe(hash(inPackage('fetch')))
    expect(versionsOf(inPackage('get'))).toEqual([3, 2, 1])
    expect(groupEvent(inPackage('get')).culprit).toContain('pay')
  })

  it('that the SDK marks itself change nothing', () => {
    const event = makeError('KeyError', 'x', [own, makeFrame({ in_app: false, filename: '/x/site-packages/a.py' })])
    expect(versionsOf({ ...event, platform: 'python' })).toEqual([3, 1])
  })
})

describe('hydration', () => {
  const mismatch = 'Minified React error #418; visit https://react.dev/errors/418?args[]=text&args[]= for'
  const seen = (server: string, client: string, fields: Partial<StoredEvent> = {}) =>
    inBrowser(mismatch, { contexts: { hydrant_hydration: { server, client, path: 'body' } }, ...fields })

  it('is one issue per route and cause', () => {
    const clock = seen('<b>3 days ago</b>', '<b>4 days ago</b>')
    expect(hash(seen('<b>yesterday</b>', '<b>2 days ago</b>'))).toBe(hash(clock))
    expect(hash(seen('<b>3 days ago</b>', '<b>4 days ago</b>', { transaction: '/cart' }))).not.toBe(hash(clock))
    expect(hash(seen('<b>Sign in</b>', '<b>Ada</b>'))).not.toBe(hash(clock))
  })

  it('joins the three errors that React 18 reports for one mismatch', () => {
    const contexts = { hydrant_hydration: { server: '<b>3 days ago</b>', client: '<b>4 days ago</b>' } }
    const errors = [425, 418, 423].map(code =>
      inBrowser(`Minified React error #${code}; visit https://reactjs.org/docs/error-decoder.html?invariant=${code}`, {
        contexts,
      }),
    )
    expect(new Set(errors.map(hash)).size).toBe(1)
  })

  it('has a title that shows the difference if it is known', () => {
    expect(groupEvent(seen('<b>Sign in</b>', '<b>Log in</b>')).title).toBe('HydrationError: “Sign in” became “Log in”')
    const wide = ['<main><h1>Sale</h1><b>Sign in</b></main>', '<main><h1>Sale</h1><b>Log in</b></main>'] as const
    expect(groupEvent(seen(...wide)).title).toBe('HydrationError: “Sign in” became “Log in”')
    expect(groupEvent(readEvent('next-hydration/003')).title).toBe('HydrationError: server and browser text differ')
  })

  it('has a title without values of a single visit', () => {
    const title = (server: string, client: string) => groupEvent(seen(server, client)).title
    expect(title('<b>3 days ago</b>', '<b>4 days ago</b>')).toBe('HydrationError: current time read while rendering')
    expect(title('<i>0.1488312</i>', '<i>0.6915004</i>')).toBe('HydrationError: random value')
    expect(title('<i>Loading</i>', '<i>12 items</i>')).toBe('HydrationError: “Loading” became “<value> item”')
  })
})
