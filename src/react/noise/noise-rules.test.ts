import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '#protocol/event.ts'
import { makeError, makeEvent, makeFrame } from '../../../test/make-event.ts'
import { readEvent } from '../../../test/read-event.ts'
import { findNoise } from './noise-rules.ts'

const inBrowser = (event: StoredEvent): StoredEvent => ({ ...event, platform: 'javascript' })
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const noiseOf = (event: StoredEvent, userAgent = chrome) => findNoise(event, userAgent)

describe('known messages of browsers and frameworks match a rule', () => {
  it.each([
    ['Error', 'NEXT_REDIRECT', 'framework-signals'],
    ['Error', 'NEXT_REDIRECT;replace;/login;307;', 'framework-signals'],
    ['Error', 'NEXT_NOT_FOUND', 'framework-signals'],
    ['Error', 'NEXT_HTTP_ERROR_FALLBACK;404', 'framework-signals'],
    ['Error', 'NEXT_HTTP_ERROR_FALLBACK;403', 'framework-signals'],
    ['Redirect', '', 'framework-signals'],
    ['Error', 'Route Cancelled', 'cancelled-routes'],
    ['Error', 'Cancel rendering route', 'cancelled-routes'],
    ['Error', 'Loading initial props cancelled', 'cancelled-routes'],
    ['Error', 'Abort fetching component for route: "/cart"', 'cancelled-routes'],
    ['AbortError', 'The user aborted a request.', 'aborted-requests'],
    ['AbortError', 'signal is aborted without reason', 'aborted-requests'],
    ['AbortError', 'Fetch is aborted', 'aborted-requests'],
    ['Error', 'ResizeObserver loop limit exceeded', 'resize-observer'],
    ['Error', 'ResizeObserver loop completed with undelivered notifications.', 'resize-observer'],
    ['Error', 'Script error.', 'script-error'],
    ['Error', 'Script error', 'script-error'],
    ['Error', 'Extension context invalidated.', 'browser-extensions'],
    ['TypeError', 'Cannot redefine property: ethereum', 'browser-extensions'],
    ['ReferenceError', "Can't find variable: gmo", 'browser-extensions'],
    ['Error', 'Minified React error #418; visit https://react.dev/errors/418?args[]=text', 'hydration-errors'],
    ['ChunkLoadError', 'Loading chunk 12 failed.', 'chunk-loads'],
  ])('%s: %s', (type, value, rule) => {
    expect(noiseOf(inBrowser(makeError(type, value)))).toEqual([rule])
  })
})

it('an extension is recognized by the throwing frame', () => {
  const at = (abs_path: string) => inBrowser(makeError('TypeError', 'x is null', [makeFrame(), { abs_path }]))
  expect(noiseOf(at('chrome-extension://abcdefgh/content.js'))).toEqual(['browser-extensions'])
  expect(noiseOf(at('moz-extension://1234/inject.js'))).toEqual(['browser-extensions'])
  expect(noiseOf(at('safari-web-extension://1234/inject.js'))).toEqual(['browser-extensions'])
  expect(noiseOf(at('https://shop.example/app.js'))).toEqual([])
  // As the Next.js SDK sends it.
  expect(noiseOf(at('app:///content.js'))).toEqual(['browser-extensions'])
  expect(noiseOf(at('app:///scripts/inpage.js'))).toEqual(['browser-extensions'])
  expect(noiseOf(at('app:///_next/static/chunks/content.js'))).toEqual([])
  expect(noiseOf(at('app:///shop.js'))).toEqual([])
})

it('an app frame that an extension called does not match', () => {
  const called = inBrowser(
    makeError('TypeError', 'x is null', [{ abs_path: 'chrome-extension://a/b.js' }, makeFrame()]),
  )
  expect(noiseOf(called)).toEqual([])
})

it('a redirect thrown through an error boundary is recognized by its digest', () => {
  const event = inBrowser(makeError('Error', 'An error occurred', []))
  expect(noiseOf({ ...event, tags: { digest: 'NEXT_REDIRECT;replace;/login;307;' } })).toEqual(['framework-signals'])
})

describe('visitors', () => {
  const plain = inBrowser(makeError('TypeError', 'x is null', [makeFrame()]))
  it.each([
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
    ['Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)', true],
    ['Mozilla/5.0 (compatible; SomeSpider)', true],
    ['Slackbot 1.0 (+https://api.slack.com/robots)', false],
    [chrome, false],
    ['', false],
  ])('%s', (userAgent, isCrawler) => {
    expect(noiseOf(plain, userAgent)).toEqual(isCrawler ? ['web-crawlers'] : [])
  })

  it('legacy browsers are recognized by name and version', () => {
    const by = (name: string, version: string) => noiseOf({ ...plain, contexts: { browser: { name, version } } })
    expect(by('Internet Explorer', '11.0')).toEqual(['legacy-browsers'])
    expect(by('Safari', '15.6')).toEqual(['legacy-browsers'])
    expect(by('Safari', '18.1')).toEqual([])
    expect(by('Chrome', '156.0.0')).toEqual([])
    expect(by('Chrome', '')).toEqual([])
  })

  it('development machines are recognized by URL', () => {
    const at = (url: string) => noiseOf({ ...plain, request: { url } })
    expect(at('http://localhost:3000/cart')).toEqual(['localhost'])
    expect(at('http://shop.localhost/cart')).toEqual(['localhost'])
    expect(at('file:///home/ada/index.html')).toEqual(['localhost'])
    expect(at('https://localhost.example/')).toEqual([])
    expect(at('not an address')).toEqual([])
  })
})

describe('not noise', () => {
  it('app errors, and aborts on the server, which may be timeouts', () => {
    expect(noiseOf(inBrowser(makeError('TypeError', 'Cannot read properties of undefined', [makeFrame()])))).toEqual([])
    expect(noiseOf(makeError('AbortError', 'This operation was aborted'), '')).toEqual([])
    expect(noiseOf(inBrowser(makeEvent({ logentry: { message: 'The cart was left' } })))).toEqual([])
  })

  it('a script error with a stack', () => {
    expect(noiseOf(inBrowser(makeError('Error', 'Script error.', [makeFrame(), makeFrame()])))).toEqual([])
  })

  it('recorded errors of the shop, apart from localhost', () => {
    for (const capture of ['next-client-errors/008', 'next-server-component-error/008', 'next-client-errors/010']) {
      expect(noiseOf(readEvent(capture)).filter(rule => rule !== 'localhost')).toEqual([])
    }
  })
})
