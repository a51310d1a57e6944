import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { testContext } from '../../../../test/make-record.ts'
import { readCapture } from '../../../../test/read-capture.ts'
import { compareDom } from './compare-dom.ts'
import { openRecording, readFrames } from './read-frames.ts'
import { applyFrame, linesOf, newDom } from './recorded-dom.ts'

const at = 1_794_702_460_000
let ids = 100
const element = (tagName: string, attributes: object = {}, ...childNodes: unknown[]) => ({
  type: 2,
  id: ids++,
  tagName,
  attributes,
  childNodes,
})
const text = (textContent: string) => ({ type: 3, id: ids++, textContent })
const price = { ...element('p', { class: 'price' }), id: 7, childNodes: [{ ...text('1,299.00'), id: 8 }] }
const body = {
  ...element('body', {}, element('h1', {}, text('Mug')), price, element('footer', {}, text('Terms'))),
  id: 5,
}
const page = (timestamp: number) => ({
  type: 2,
  timestamp,
  data: { node: { type: 0, id: 1, childNodes: [element('html', {}, element('head', {}), body)] }, initialOffset: {} },
})
const change = (timestamp: number, data: object) => ({
  type: 3,
  timestamp,
  data: { source: 0, adds: [], removes: [], texts: [], attributes: [], ...data },
})

/** Each list is a segment. */
async function compare(time: number, ...segments: object[][]) {
  async function* read() {
    const reader = openRecording({ keepsRemote: false })
    for (const events of segments) yield readFrames(reader, Buffer.from(JSON.stringify(events))).frames
  }
  return compareDom(read(), () => time)
}
/** React throws the element away and renders it again. */
const rendered = (timestamp: number) =>
  change(timestamp, {
    removes: [{ parentId: 5, id: 7 }],
    adds: [
      { parentId: 5, nextId: null, node: { ...element('p', { class: 'price', onclick: 'alert(1)' }), id: 70 } },
      { parentId: 70, nextId: null, node: { ...text('1.299,00'), id: 71 } },
    ],
  })

test('the page before and after a hydration error, with the lines around what differs', async () => {
  const later = change(at + 5_000, { texts: [{ id: 71, value: 'too late' }] })
  const found = await compare(at, [page(at - 900)], [rendered(at + 3), later])
  expect(found).toEqual({
    before: [
      '<html>',
      '  <body>',
      '    <h1>Mug</h1>',
      '    <p class="price">1,299.00</p>',
      '    <footer>Terms</footer>',
      '  </body>',
      '</html>',
    ],
    after: [
      '<html>',
      '  <body>',
      '    <h1>Mug</h1>',
      '    <footer>Terms</footer>',
      '    <p class="price">1.299,00</p>',
      '  </body>',
      '</html>',
    ],
    firstLine: 1,
    left: 0,
  })
})

test('changes long before the error belong to the page before it', async () => {
  const early = change(at - 500, {
    texts: [{ id: 8, value: 'early' }],
    attributes: [{ id: 7, attributes: { class: null } }],
  })
  const found = await compare(at, [page(at - 900), early], [change(at - 20, { texts: [{ id: 8, value: 'late' }] })])
  expect(found?.before).toContain('    <p>early</p>')
  expect(found?.after).toContain('    <p>late</p>')
})

test('there is nothing to compare without a picture of the page, or if it did not change', async () => {
  expect(await compare(at, [rendered(at)])).toBeNull()
  expect(await compare(at, [page(at - 900)], [rendered(at + 5_000)])).toBeNull()
  expect(await compare(at, [page(at + 5_000)])).toBeNull()
})

test('additions find siblings that come later in their list, and hostile ones neither nest for ever nor take long', () => {
  const dom = newDom()
  applyFrame(dom, page(at))
  const item = (id: number, nextId: number | null) => ({
    parentId: 5,
    nextId,
    node: { ...element('li', { id: `i${id}` }), id },
  })
  applyFrame(dom, change(at, { adds: [item(31, 32), item(32, 33), item(33, null)] }))
  expect(linesOf(dom, 100).filter(line => line.includes('<li'))).toEqual([
    '    <li id="i31"></li>',
    '    <li id="i32"></li>',
    '    <li id="i33"></li>',
  ])
  const nested = Array.from({ length: 20_000 }, (_, n) => ({
    parentId: n === 0 ? 5 : 999 + n,
    nextId: null,
    node: { ...element('i'), id: 1_000 + n },
  }))
  applyFrame(dom, change(at, { adds: nested.toReversed() }))
  applyFrame(dom, change(at, { adds: nested }))
  applyFrame(dom, change(at, { adds: [{ parentId: 1_005, nextId: null, node: { ...element('b'), id: 1_000 } }] }))
  expect(linesOf(dom, 5_000).length).toBeLessThanOrEqual(5_600)
})

test('a recorded visit of the shop ends with the page that its last change made', async () => {
  const dom = newDom()
  const reader = openRecording({ keepsRemote: false })
  const folder = new URL('../../../../test/fixtures/captures/next-replay/', import.meta.url)
  const kinds = new Set<string>()
  for (const file of readdirSync(folder)
    .filter(name => name.endsWith('.body'))
    .sort()) {
    const { blobs } = processRecord(readCapture(`next-replay/${file.slice(0, -5)}`), testContext)
    for (const { source } of blobs) {
      if (source.kind !== 'bytes') continue
      const { frames, resources, memory } = readFrames(reader, source.bytes)
      for (const frame of frames) applyFrame(dom, JSON.parse(frame))
      for (const { kind } of resources) kinds.add(kind)
      for (const { used, limit } of memory) expect(used).toBeLessThan(limit)
      if (memory.length > 0) kinds.add('memory')
    }
  }
  expect(linesOf(dom, 1_000).join('\n')).toMatch(/<button id="inc">/)
  expect([...kinds]).toEqual(expect.arrayContaining(['script', 'memory']))
})
