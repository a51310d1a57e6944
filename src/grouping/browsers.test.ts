import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '#protocol/event.ts'
import { makeError } from '../../test/make-event.ts'
import { readEvent } from '../../test/read-event.ts'
import { readBrowserEvent, readWordings } from '../../test/read-grouping.ts'
import { groupEvent } from './group-event.ts'

const hash = (event: StoredEvent) => groupEvent(event).hash
const changed = (event: StoredEvent, change: (copy: StoredEvent) => void): StoredEvent => {
  const copy = structuredClone(event)
  change(copy)
  return copy
}
/** A browser error in minified code. */
const inBrowser = ([type, value]: [string, string], route = '/cart') => ({
  ...makeError(type, value, [
    { in_app: true, filename: 'app:///_next/static/chunks/40ud6my3h6ugk.js', function: 'a', lineno: 1, colno: 812 },
  ]),
  transaction: route,
})

describe('without source maps', () => {
  const chrome = readBrowserEvent('cart-chrome')

  it('a bug is one issue in Chrome, Firefox and Safari', () => {
    expect(hash(readBrowserEvent('cart-firefox'))).toBe(hash(chrome))
    expect(hash(readBrowserEvent('cart-safari'))).toBe(hash(chrome))
  })

  it('a bug stays one issue after a deploy that renames chunks and functions', () => {
    expect(hash(readBrowserEvent('cart-chrome-next-deploy'))).toBe(hash(chrome))
    const click = readEvent('next-client-errors/008')
    const redeployed = changed(click, event => {
      for (const [at, frame] of (event.exception?.values[0]?.stacktrace?.frames ?? []).entries())
        Object.assign(frame, {
          filename: `app:///_next/static/chunks/2k7n19u16q3r${at}.js`,
          function: 'eT',
          colno: at + 900,
        })
    })
    expect(hash(redeployed)).toBe(hash(click))
  })

  it('a server bug stays one issue after a deploy', () => {
    const failed = readEvent('next-route-handler/007')
    const redeployed = changed(failed, event => {
      const last = event.exception?.values[0]?.stacktrace?.frames.at(-1)
      Object.assign(last ?? {}, {
        filename: 'app:///_next/server/chunks/_1c9e77aa04b21._.js',
        module: '_1c9e77aa04b21._',
        function: 'o',
        context_line: 'module.exports=[81920,a=>{"use strict";async function o(a){throw await a.json() {snip}',
      })
    })
    expect(hash(redeployed)).toBe(hash(failed))
  })

  it('hashed file names of webpack and Vite are ignored like those of Next.js', () => {
    const at = (filename: string, name: string) =>
      hash(makeError('Error', 'cart is empty', [{ in_app: true, filename, function: name, lineno: 1, colno: 40 }]))
    const first = at('https://shop.example/assets/index-BkX3f_9a.js', 'a')
    expect(at('https://shop.example/assets/index-Dq81kz0p.js', 'eT')).toBe(first)
    expect(at('https://cdn.shop.example/static/js/main.6e3f2a1b.chunk.js?v=2', 'r')).toBe(first)
    expect(at('https://shop.example/js/shop.min.js', 'r')).toBe(first)
  })

  it('scripts that are not minified group by function', () => {
    const at = (name: string) =>
      hash(
        makeError('Error', 'x', [
          { in_app: true, filename: 'https://shop.example/js/cart.js', function: name, colno: 4 },
        ]),
      )
    expect(at('showCart')).not.toBe(at('hideCart'))
  })

  it('bugs with different messages, types or causes are different issues', () => {
    const hashes = [
      inBrowser(['Error', 'cart is empty']),
      inBrowser(['Error', 'card was refused']),
      inBrowser(['CardError', 'card was refused']),
      inBrowser(['TypeError', "Cannot read properties of undefined (reading 'price')"]),
      inBrowser(['TypeError', "Cannot read properties of undefined (reading 'name')"]),
      inBrowser(['TypeError', "Cannot read properties of null (reading 'price')"]),
      readEvent('next-client-errors/010'),
      readEvent('next-client-errors/011'),
    ].map(hash)
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('an engine’s message is one issue per route, the app’s own message one issue', () => {
    const engine: [string, string] = ['TypeError', "Cannot read properties of undefined (reading 'map')"]
    expect(hash(inBrowser(engine, '/cart'))).not.toBe(hash(inBrowser(engine, '/items/:id')))
    expect(hash(inBrowser(engine, 'GET /items/[id]'))).toBe(hash(inBrowser(engine, '/items/:id')))
    expect(hash(inBrowser(engine, '/items/12'))).toBe(hash(inBrowser(engine, '/items/345')))
    expect(hash(inBrowser(['Error', 'cart is empty'], '/cart'))).toBe(hash(inBrowser(['Error', 'cart is empty'], '/')))
  })

  it('a readable frame that leads to minified code does not join the bugs behind it', () => {
    const server = { in_app: true, filename: '/srv/server.js', module: 'server', function: 'handle' }
    const chunk = { in_app: true, filename: 'app:///_next/server/chunks/_041b34b51eccf._.js', function: 't' }
    expect(hash(makeError('Error', 'one', [server, chunk]))).not.toBe(hash(makeError('Error', 'two', [server, chunk])))
  })
})

describe('with source maps', () => {
  it('a bug is one issue in every browser, whatever frames and names the engines add', () => {
    const mapped = (name: string, extra: string) =>
      makeError('TypeError', 'whatever the browser says', [
        { in_app: true, filename: extra, function: 'map' },
        {
          in_app: true,
          filename: 'app:///src/app/cart/page.tsx',
          function: name,
          context_line: '  return lines.map(line => line.item.price)',
          data: { sourcemap: 'app:///_next/static/chunks/40ud6my3h6ugk.js.map' },
        },
      ])
    expect(hash(mapped('a', '<anonymous>'))).toBe(hash(mapped('?', '[native code]')))
  })
})

describe('a failure is one issue in all three browsers', () => {
  const wordings = readWordings()
  it.each(wordings)('$failure', ({ chrome, firefox, safari }) => {
    expect(hash(inBrowser(firefox))).toBe(hash(inBrowser(chrome)))
    expect(hash(inBrowser(safari))).toBe(hash(inBrowser(chrome)))
  })

  it('two different failures are two issues', () => {
    const hashes = wordings.map(({ chrome }) => hash(inBrowser(chrome)))
    expect(new Set(hashes).size).toBe(wordings.length)
  })

  it('a message of the app that resembles a failure is not replaced', () => {
    const own = [
      'Load failed for order',
      'Failed to fetch the cart',
      'cart is undefined behavior',
      'price is not a function of time',
    ]
    expect(new Set(own.map(value => hash(inBrowser(['Error', value])))).size).toBe(own.length)
    expect(hash(inBrowser(['Error', own[0] ?? '']))).toBe(hash(inBrowser(['Error', own[0] ?? ''], '/other')))
  })
})
