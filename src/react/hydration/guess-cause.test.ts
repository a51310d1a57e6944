import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '#protocol/event.ts'
import { makeError, makeEvent } from '../../../test/make-event.ts'
import { readEvent } from '../../../test/read-event.ts'
import { guessCause } from './guess-cause.ts'

const mismatch = 'Minified React error #418; visit https://react.dev/errors/418?args[]=text&args[]= for'
const withFragments = (server: string, client: string, value = mismatch): StoredEvent => ({
  ...makeError('Error', value),
  platform: 'javascript',
  contexts: { hydrant_hydration: { server, client, path: 'body > main' } },
})
const causeOf = (server: string, client: string) => guessCause(withFragments(server, client))?.guess?.cause

describe('the likely cause follows from what differs', () => {
  it.each([
    ['clock', '<time>3 days ago</time>', '<time>4 days ago</time>'],
    ['clock', '<p>It is 07:12:01</p>', '<p>It is 07:12:03</p>'],
    ['clock', '<b>yesterday</b>', '<b>2 days ago</b>'],
    ['clock', '<b>Good morning</b>', '<b>Good evening</b>'],
    ['clock', '<p>Updated Nov 14, 2026</p>', '<p>Updated Nov 15, 2026</p>'],
    ['locale', '<b>1,234.50</b>', '<b>1.234,50</b>'],
    ['locale', '<time>11/15/2026</time>', '<time>15.11.2026</time>'],
    ['random', '<p>Ticket k3x9qa81</p>', '<p>Ticket zz81p0q4</p>'],
    ['random', '<p>0.7391838271</p>', '<p>0.1183726611</p>'],
    ['nesting', '<p></p><div>Sale</div><p></p>', '<p><div>Sale</div></p>'],
    ['nesting', '<table></table>', '<table><tr><td>1</td></tr></table>'],
    ['extension', '<body cz-shortcut-listen="true"><p>Hi</p></body>', '<body><p>Hi</p></body>'],
    ['extension', '<p><font style="vertical-align: inherit">Hallo</font></p>', '<p>Hello</p>'],
    ['branch', '<p>Rendered by the server.</p>', '<p>Rendered by the browser.</p>'],
    ['branch', '<nav></nav>', '<nav><a>Sign in</a></nav>'],
    ['branch', '<div class="light"></div>', '<div class="dark"></div>'],
  ])('%s: %s → %s', (cause, server, client) => {
    expect(causeOf(server, client)).toBe(cause)
  })
})

it('the changed text consists of whole words', () => {
  const finding = guessCause(withFragments('<time>listed 3 days ago</time>', '<time>listed 4 days ago</time>'))
  expect(finding?.text).toEqual({ server: '3', client: '4' })
})

it('comments that React puts between texts are ignored', () => {
  const finding = guessCause(withFragments('<p>By the <!-- -->server<!-- -->.</p>', '<p>By the browser.</p>'))
  expect(finding?.text).toEqual({ server: 'server.', client: 'browser.' })
})

it('without the hydration helper only React’s own message gives a cause', () => {
  expect(guessCause(readEvent('next-hydration/003'))).toMatchObject({
    error: { about: 'text', code: 418 },
    fragments: null,
    guess: null,
    checks: [],
  })
  const nesting = guessCause(makeError('Error', 'In HTML, <div> cannot be a descendant of <p>.'))
  expect(nesting?.guess?.cause).toBe('nesting')
})

it('an app error that was thrown while hydrating is not a hydration error', () => {
  const wrapped = makeEvent({
    exception: {
      values: [
        { type: 'TypeError', value: 'cart is null' },
        { type: 'Error', value: 'Minified React error #423; visit https://react.dev/errors/423' },
      ],
    },
  })
  expect(guessCause(wrapped)).toBeNull()
  expect(guessCause(makeError('TypeError', 'cart is null'))).toBeNull()
})

it('a hostile fragment is read in reasonable time', () => {
  const long = '<p>'.repeat(5_000) + '1'.repeat(20_000)
  expect(guessCause(withFragments(long, `${long}2`))?.fragments).not.toBeNull()
})
