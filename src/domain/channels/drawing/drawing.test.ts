import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { channelKinds } from '#domain/channels/kinds/list.ts'
import { hostileMessage, hydrantUrl, makeMessage } from '../../../../test/channels/make-message.ts'
import { drawMessage } from './draw-message.ts'
import { type Block, type Drawing, looks } from './drawing.ts'
import { readHtml, readMarkdown, readSlack } from './read-markup.ts'

/** The settings that are shown, where a kind has no usual ones. */
const shown: Record<string, object> = {
  telegram: { chat: '-100' },
  ntfy: { server: 'https://ntfy.sh', topic: 'alerts' },
  webhook: { url: 'https://example.com/hook' },
  'sentry-webhook': { url: 'https://example.com/hook' },
  'http-template': { body: '{"text": "{{title}}"}' },
  email: { to: 'members' },
}
const reader = { publicUrl: hydrantUrl, now: 1_794_837_911_000, from: 'Hydrant <h@x.example>', to: 'ada@x.example' }
const draw = (kind: string, message = makeMessage(), settings = shown[kind] ?? {}): Drawing => {
  const config = JSON.stringify({ settings, target: 'POST example.com' })
  const drawing = drawMessage({ kind, config }, message, reader)
  if (drawing === null) throw new Error(`${kind} is not drawn`)
  return drawing
}
const blocksOf = (drawing: Drawing): Block[] => (drawing.kind === 'card' ? drawing.blocks : [])
const spansOf = (block: Block) =>
  block.kind === 'title' ? block.line : block.kind === 'text' ? block.lines.flat() : []
const textOf = (drawing: Drawing): string => {
  if (drawing.kind !== 'card') return drawing.kind === 'mail' ? drawing.html : drawing.body
  return drawing.blocks
    .flatMap(block => [
      ...spansOf(block).map(({ text }) => text),
      ...(block.kind === 'facts' ? block.facts.flatMap(({ label, value }) => [label, value]) : []),
      ...(block.kind === 'buttons' ? block.labels : []),
    ])
    .join('\n')
}

describe.each(channelKinds.map(({ id }) => id))('%s', kind => {
  test('shows what a message says', () => {
    const text = textOf(draw(kind)).replaceAll('\u200b', '')
    expect(text).toContain('TypeError')
    if (kind === 'http-template') return
    expect(text).toContain('first seen in web@1.4.2, 3 minutes after its deploy')
    expect(text).toContain('production')
  })
  test('draws any message', () => {
    fc.assert(
      fc.property(hostileMessage, message => {
        const drawing = draw(kind, message)
        for (const block of blocksOf(drawing))
          for (const { href } of spansOf(block)) if (href !== undefined) expect(href).toMatch(/^https:\/\//)
      }),
      { numRuns: 40 },
    )
  })
})

test('every look has a kind that is drawn so', () => {
  const drawn = channelKinds.map(({ id }) => draw(id))
  drawn.push(draw('slack', makeMessage(), { format: 'mattermost' }))
  const seen = drawn.flatMap(drawing => (drawing.kind === 'card' ? [drawing.look] : []))
  expect([...new Set(seen)].toSorted()).toEqual([...looks].toSorted())
})

test('a pager shows that an alert is closed', () => {
  expect(textOf(draw('pagerduty', makeMessage({ action: 'close', subjectKey: 'incident/9' })))).toBe(
    'Resolves the alert\nAlert key\nhydrant/acme/incident/9',
  )
})

test('a chat shows text as it was written, not its escapes', () => {
  const message = makeMessage({ body: 'a < b & *c* [x](https://evil.example) `d`' })
  for (const kind of ['slack', 'discord', 'telegram', 'google-chat'])
    expect(textOf(draw(kind, message)).replaceAll('\u200b', ''), kind).toContain(
      'a < b & *c* [x](https://evil.example)',
    )
})

test('markup is read as the channels read it', () => {
  expect(readSlack('*Users*\n`a&lt;b` <https://x.example|y> z')).toEqual([
    [{ text: 'Users', look: 'bold' }],
    [{ text: 'a<b', look: 'code' }, { text: ' ' }, { text: 'y', href: 'https://x.example' }, { text: ' z' }],
  ])
  expect(readHtml('<b><a href="https://x.example">New</a></b>\n<code>f()</code>')).toEqual([
    [{ text: 'New', href: 'https://x.example', look: 'bold' }],
    [{ text: 'f()', look: 'code' }],
  ])
  expect(readMarkdown('\\[a\\]\\(b\\_c\\) [c \\*d](https://x.example)')).toEqual([
    [{ text: '[a](b_c) ' }, { text: 'c *d', href: 'https://x.example' }],
  ])
})
