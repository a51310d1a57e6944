import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '#protocol/event.ts'
import { makeError, makeEvent, makeFrame } from '../../test/make-event.ts'
import { readEvent } from '../../test/read-event.ts'
import { explainGrouping } from './explain-grouping.ts'
import { groupEvent } from './group-event.ts'

const hash = (event: StoredEvent) => groupEvent(event).hash
const partsOf = (event: StoredEvent) => explainGrouping(event)?.parts.map(({ kind, value }) => `${kind} ${value}`)

describe('errors are one group', () => {
  it('when only line numbers and the message differ', () => {
    const one = makeError('Error', 'order 1 failed', [makeFrame({ lineno: 1, context_line: '  pay(order)' })])
    const two = makeError('Error', 'cannot pay', [makeFrame({ lineno: 99, context_line: 'pay(order) ' })])
    expect(hash(one)).toBe(hash(two))
  })

  it('when only frames of libraries differ', () => {
    const library = makeFrame({ in_app: false, function: 'emit', module: 'events' })
    expect(hash(makeError('Error', 'x', [library, makeFrame()]))).toBe(hash(makeError('Error', 'x', [makeFrame()])))
    const bundled = makeFrame({ filename: '/srv/app/node_modules/pg/lib/client.js', function: 'query', module: 'pg' })
    expect(hash(makeError('Error', 'x', [makeFrame(), bundled]))).toBe(hash(makeError('Error', 'x', [makeFrame()])))
  })

  it('when helpers of engines and compilers come between', () => {
    const helpers = [
      makeFrame({ function: 'process.processTicksAndRejections', filename: 'node:internal/process/task_queues' }),
      makeFrame({ function: 'eval', filename: 'https://shop.example/app.js line 3 > eval' }),
      makeFrame({ function: 'map', filename: '[native code]', module: '' }),
      makeFrame({ function: 'Generator.next', filename: '<anonymous>', module: '' }),
      makeFrame({ function: 'async Promise.all', filename: 'index 0', module: '' }),
      makeFrame({ function: '__awaiter', filename: '/srv/app/lib/tslib/tslib.js' }),
    ]
    const plain = makeError('Error', 'x', [makeFrame({ function: 'main' }), makeFrame()])
    for (const helper of helpers)
      expect(hash(makeError('Error', 'x', [makeFrame({ function: 'main' }), helper, makeFrame(), helper]))).toBe(
        hash(plain),
      )
  })

  it('when the same function is called through an object, awaited or constructed', () => {
    const named = (name: string) => hash(makeError('Error', 'x', [makeFrame({ function: name })]))
    for (const name of ['Object.pay', 'async pay', 'async Cart.pay', 'new pay', 'Cart.pay [as onClick]'])
      expect(named(name)).toBe(named('pay'))
  })

  it('when a deploy moves the app to another folder', () => {
    const at = (folder: string) => {
      const { module: _, ...frame } = makeFrame({ filename: `${folder}/app/items/[id]/page.tsx` })
      return hash(makeError('Error', 'x', [frame]))
    }
    expect(at('/srv/releases/20261114')).toBe(at('/srv/releases/20261115'))
  })
})

describe('errors are different groups', () => {
  it('by type, by function, by line of code and by the chain of causes', () => {
    const one = makeError('Error', 'x', [makeFrame()])
    expect(hash(one)).not.toBe(hash(makeError('TypeError', 'x', [makeFrame()])))
    expect(hash(one)).not.toBe(hash(makeError('Error', 'x', [makeFrame({ function: 'refund' })])))
    expect(hash(one)).not.toBe(hash(makeError('Error', 'x', [makeFrame({ context_line: 'charge()' })])))
    const chained = makeEvent({
      exception: { values: [{ type: 'ZodError', value: 'y' }, ...(one.exception?.values ?? [])] },
    })
    expect(hash(one)).not.toBe(hash(chained))
  })

  it('by page, although every page file has the same name', () => {
    const page = (route: string) => {
      const { module: _, ...frame } = makeFrame({ filename: `app:///src/app/${route}/page.tsx`, function: 'Page' })
      return hash(makeError('Error', 'x', [frame]))
    }
    expect(page('items/[id]')).not.toBe(page('cart'))
  })

  it('by message when the throwing frame names only a file', () => {
    const bare = (value: string) =>
      makeError('Error', value, [
        makeFrame({ function: 'main' }),
        makeFrame({ filename: '/srv/run.js', module: 'run', function: '?' }),
      ])
    expect(hash(bare('inside span'))).not.toBe(hash(bare('request failed')))
  })

  it('by message when the whole stack is library code', () => {
    const connect = (value: string) =>
      makeError('Error', value, [
        { in_app: false, filename: 'node:net', module: 'net', function: 'TCPConnectWrap.afterConnect' },
      ])
    expect(hash(connect('connect ECONNREFUSED 10.0.0.1:5432'))).toBe(
      hash(connect('connect ECONNREFUSED 10.0.0.2:5432')),
    )
    expect(hash(connect('connect ECONNREFUSED 10.0.0.1:5432'))).not.toBe(
      hash(connect('connect ETIMEDOUT 10.0.0.1:5432')),
    )
  })
})

describe('recorded events', () => {
  it('of a Node error group by in-app frames and code lines', () => {
    expect(partsOf(readEvent('node-error/002'))).toEqual([
      'type Error',
      'frame run: await S[scenario]();',
      "frame error in run: async error() { Sentry.captureException(new Error('Uncaught-like error for order 12345')); },",
    ])
  })

  it('of the same route handler in two recordings are one issue', () => {
    expect(hash(readEvent('next-client-errors/019'))).toBe(hash(readEvent('next-route-handler/007')))
  })

  it('of the same click are one issue although the time in their message differs', () => {
    expect(hash(readEvent('next-client-errors/008'))).toBe(hash(readEvent('next-replay/011')))
  })

  it('of missing chunks are one issue', () => {
    expect(hash(readEvent('next-chunkload/009'))).toBe(hash(readEvent('next-chunkload/010')))
  })

  it('of hydration and of server rendering are one issue per route', () => {
    expect(partsOf(readEvent('next-hydration/003'))).toEqual([
      'type HydrationError',
      'failure server and browser rendered different content',
      'route /hydration',
    ])
    expect(hash(readEvent('next-server-action/014'))).toBe(hash(readEvent('next-server-action/028')))
    expect(hash(readEvent('next-server-action/014'))).not.toBe(hash(readEvent('next-server-component-error/008')))
  })
})

describe('messages', () => {
  it('of SDK 11, sent as errors without a type, group like messages of SDK 10', () => {
    const event = readEvent('node-handled-cause/003')
    expect(partsOf(event)).toEqual(['message Plain message with id <value>'])
    expect(hash(event)).toBe(hash(makeEvent({ logentry: { message: 'Plain message with id 12' } })))
    expect(hash(event)).not.toBe(hash(readEvent('next-client-errors/012')))
  })

  it('group by their template', () => {
    const message = (name: string) =>
      makeEvent({ logentry: { message: 'user %s gone', formatted: `user ${name} gone`, params: [name] } })
    expect(hash(message('ada'))).toBe(hash(message('bob')))
  })

  it('thrown as strings group by text and frames', () => {
    const thrown = readEvent('node-handled-cause/006')
    expect(partsOf(thrown)?.[0]).toBe('message a string thrown')
    expect(hash(thrown)).not.toBe(hash(readEvent('node-handled-cause/005')))
  })
})

describe('events without an error', () => {
  const frames = [makeFrame({ function: 'main' }), makeFrame()]
  it('group by the thread that crashed', () => {
    const crashed = makeEvent({
      threads: {
        values: [
          { id: 1, stacktrace: { frames: [makeFrame({ function: 'idle' })] } },
          { id: 2, crashed: true, stacktrace: { frames } },
        ],
      },
    })
    expect(partsOf(crashed)).toEqual(['frame main in cart', 'frame pay in cart'])
    expect(hash(crashed)).toBe(hash(makeEvent({ stacktrace: { frames } })))
  })

  it('group by their message even with a stack', () => {
    const event = makeEvent({ logentry: { message: 'stock is low' }, stacktrace: { frames } })
    expect(hash(event)).toBe(hash(makeEvent({ logentry: { message: 'stock is low' } })))
  })

  it('are one issue when they are empty or malformed', () => {
    expect(hash(makeEvent({ threads: 'x', stacktrace: { frames: [null, { function: 7 }] } }))).toBe(hash(makeEvent()))
    expect(explainGrouping(makeEvent())?.strategy).toBe('nothing')
  })
})

it('minified React errors with different codes are different groups', () => {
  const minified = (code: number) =>
    makeError('Error', `Minified React error #${code}; visit https://react.dev/errors/${code}`, [])
  expect(hash(minified(31))).not.toBe(hash(minified(310)))
})
