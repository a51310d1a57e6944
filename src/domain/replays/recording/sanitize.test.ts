import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { openRecording, readFrames } from './read-frames.ts'
import { sanitizeCss } from './sanitize-css.ts'

type Node = {
  type: number
  id: number
  tagName?: string
  attributes?: Record<string, unknown>
  childNodes?: Node[]
  textContent?: string
}
let ids = 1
const element = (tagName: string, attributes: object = {}, ...childNodes: unknown[]) => ({
  type: 2,
  id: ids++,
  tagName,
  attributes,
  childNodes,
})
const text = (textContent: string) => ({ type: 3, id: ids++, textContent })
const snapshot = (...nodes: unknown[]) => ({
  type: 2,
  timestamp: 1_794_702_460_000,
  data: {
    node: { type: 0, id: ids++, childNodes: [element('html', {}, element('body', {}, ...nodes))] },
    initialOffset: { top: 0, left: 0 },
  },
})
const change = (data: object) => ({ type: 3, timestamp: 1_794_702_461_000, data })
const read = (events: unknown[], keepsRemote = false) =>
  readFrames(openRecording({ keepsRemote }), deflateSync(JSON.stringify(events)))
const frames = (events: unknown[], keepsRemote = false) =>
  read(events, keepsRemote).frames.map(
    frame => JSON.parse(frame) as { type: number; data: { node: Node; source?: number; adds: { node: Node }[] } },
  )
/** The elements of a page below its body. */
function pageOf(...nodes: unknown[]): Node[] {
  const [frame] = frames([snapshot(...nodes)])
  return frame?.data.node.childNodes?.[0]?.childNodes?.[0]?.childNodes ?? []
}

const loud = /alert|evil\.example|javascript:|srcdoc|@import|http-equiv/i

describe('what could run or load', () => {
  it.each([
    ['a script', element('script', { src: 'https://evil.example/a.js' }, text('alert(1)'))],
    ['a script of an SVG', element('svg:script', {}, text('alert(1)'))],
    ['a script in capitals', element('SCRIPT', {}, text('alert(1)'))],
    ['a handler', element('img', { src: 'x', onerror: 'alert(1)', onLoad: 'alert(2)' })],
    ['a link that runs', element('a', { href: ' java\nscript:alert(1)' }, text('pay'))],
    [
      'a link elsewhere',
      element('a', { href: 'https://evil.example/', ping: 'https://evil.example/', target: '_top' }),
    ],
    [
      'a form',
      element('form', { action: 'https://evil.example/' }, element('button', { formaction: 'javascript:alert(1)' })),
    ],
    ['a redirect', element('meta', { 'http-equiv': 'refresh', content: '0;url=https://evil.example/' })],
    ['a base', element('base', { href: 'https://evil.example/' })],
    [
      'the source of a frame',
      element('iframe', {
        srcdoc: '<script>alert(1)</script>',
        src: 'https://evil.example/',
        sandbox: 'allow-scripts',
      }),
    ],
    [
      'an object',
      element('object', { data: 'https://evil.example/' }),
      element('embed', { src: 'https://evil.example/' }),
    ],
    ['a stylesheet', element('link', { rel: 'stylesheet', href: 'https://evil.example/a.css' })],
    ['an import', element('style', {}, text('@import "https://evil.example/a.css"; b{color:red}'))],
    ['an inlined import', element('style', { _cssText: '@import url(https://evil.example/a.css);' })],
    [
      'a background',
      element('p', { style: 'background:url(https://evil.example/a.png)', background: 'https://evil.example/' }),
    ],
    ['a hidden url()', element('p', { style: 'background:\\75 rl(https://evil.example/a.png)' })],
    ['an image', element('img', { src: 'https://evil.example/a.png', srcset: 'https://evil.example/b.png 2x' })],
    ['an image of a canvas', element('canvas', { rr_dataURL: 'https://evil.example/a.png' })],
    ['a shape', element('use', { 'xlink:href': 'https://evil.example/a.svg#x', href: 'https://evil.example/a.svg#x' })],
    ['an animated link', element('animate', { attributeName: 'href', values: 'javascript:alert(1)' })],
    ['a fill', element('rect', { fill: 'url(https://evil.example/a.svg#x)' })],
    ['a comment', { type: 5, id: 9_000, textContent: '<script>alert(1)</script>' }],
  ])('%s is taken out of a page', (_, ...nodes) => {
    const events = [
      snapshot(...nodes),
      change({
        source: 0,
        adds: nodes.map(node => ({ parentId: 1, nextId: null, node })),
        removes: [],
        texts: [],
        attributes: [],
      }),
    ]
    const { frames: kept } = read(events)
    expect(kept).toHaveLength(2)
    expect(kept.join('\n')).not.toMatch(loud)
  })

  it('is taken out of changes of attributes, texts and styles', () => {
    const style = element('style', {}, text('b{}'))
    const kept = read([
      snapshot(style),
      change({
        source: 0,
        adds: [],
        removes: [],
        texts: [],
        attributes: [
          {
            id: 3,
            attributes: {
              onclick: 'alert(1)',
              href: 'javascript:alert(1)',
              src: 'https://evil.example/',
              class: 'open',
              hidden: null,
            },
          },
          {
            id: 4,
            attributes: {
              style: { background: 'url(https://evil.example/)', top: false, width: ['1px', 'important'] },
            },
          },
        ],
      }),
      change({ source: 8, id: style.id, adds: [{ rule: '@import "https://evil.example/";' }] }),
      change({
        source: 13,
        id: style.id,
        index: [0],
        set: { property: 'background', value: 'url("https://evil.example/")' },
      }),
      change({ source: 15, id: 1, styles: [{ styleId: 1, rules: [{ rule: 'b{background:url(//evil.example)}' }] }] }),
      change({
        source: 0,
        adds: [{ parentId: style.id, nextId: null, node: text('@import "https://evil.example/"') }],
        removes: [],
        texts: [],
        attributes: [],
      }),
      change({ source: 9, id: 1, type: 0, property: 'alert', args: ['https://evil.example/'] }),
      change({ source: 10, family: 'x', fontSource: 'url(https://evil.example/)', buffer: false }),
      change({ source: 16, define: { name: 'evil.example' } }),
      { type: 6, timestamp: 1_794_702_461_000, data: { plugin: 'alert' } },
      { type: 5, timestamp: 1_794_702_461_000, data: { tag: 'alert' } },
    ]).frames
    expect(kept.join('\n')).not.toMatch(loud)
    expect(kept).toHaveLength(6)
    expect(kept[1]).toContain('"class":"open"')
    expect(kept[1]).toContain('["1px","important"]')
  })
})

test('what the page looked like stays', () => {
  const [paragraph, image, link] = pageOf(
    element(
      'p',
      { class: 'lede', style: 'color:red;background:url("data:image/png;base64,AA")', 'data-x': '1' },
      text('See url(x) and @import'),
    ),
    element('img', { src: 'data:image/png;base64,AA', alt: 'a', rr_width: '10px' }),
    element('a', { href: 'https://shop.example/', class: 'buy' }, text('Buy')),
  )
  expect(paragraph?.attributes).toMatchObject({ class: 'lede', style: expect.stringContaining('data:image/png') })
  expect(paragraph?.childNodes?.[0]?.textContent).toBe('See url(x) and @import')
  expect(image?.attributes).toEqual({ src: 'data:image/png;base64,AA', alt: 'a', rr_width: '10px' })
  // Still a link for the styles of the page.
  expect(link?.attributes).toEqual({ href: '#', class: 'buy' })
})

test('what is dropped keeps its place, because later changes name it', () => {
  const script = element('script', {}, text('alert(1)'))
  expect(pageOf(script)).toMatchObject([{ id: script.id, tagName: 'noscript', childNodes: [] }])
})

test('a frame is a sandbox without scripts', () => {
  const [frame] = pageOf(
    element('iframe', { src: 'https://shop.example/', sandbox: 'allow-scripts allow-same-origin' }),
  )
  expect(frame?.attributes).toEqual({ sandbox: 'allow-same-origin' })
})

test('images of the site are loaded only if the viewer asks', () => {
  const page = snapshot(
    element('img', { src: 'https://shop.example/a.png' }),
    element('iframe', { src: 'https://shop.example/' }),
    element('p', { style: 'background:url(https://shop.example/b.png)' }),
  )
  expect(read([page]).frames.join()).not.toContain('shop.example')
  const asked = read([page], true).frames.join()
  expect(asked).toContain('https://shop.example/a.png')
  expect(asked).toContain('https://shop.example/b.png')
  expect(asked).not.toContain('https://shop.example/"')
})

test('a page with too many nodes is cut, and says so', () => {
  const withNodes = (count: number) => {
    const childNodes = Array.from({ length: count }, (_, index) => ({ type: 3, id: index + 10 }))
    return read([snapshot({ ...element('ul'), childNodes })])
  }
  const { frames: kept, cut } = withNodes(300_000)
  expect(cut).toBeGreaterThan(0)
  expect(kept.join().split('"id"').length).toBeLessThan(200_010)
  // No browser could show the next one in time, so it is left out as a whole.
  expect(withNodes(1_000_000)).toMatchObject({ frames: [], cut: 1 })
})

test('a page that is nested a hundred thousand times is cut', () => {
  const depth = 100_000
  const deep = `${'{"type":2,"id":5,"tagName":"b","attributes":{},"childNodes":['.repeat(depth)}${']}'.repeat(depth)}`
  const plain = `[{"type":2,"timestamp":1794702460000,"data":{"node":{"type":0,"id":1,"childNodes":[${deep}]}}}]`
  const { frames: kept, cut } = readFrames(openRecording({ keepsRemote: false }), Buffer.from(plain))
  expect(kept).toHaveLength(1)
  expect(cut).toBeGreaterThan(0)
})

describe('images and canvases that are not loaded', () => {
  const sourceOf = (node: Node | undefined) => decodeURIComponent(String(node?.attributes?.src))

  test('keep their place: a grey box of the size that they say', () => {
    const [sized, unsized, drawing] = pageOf(
      element('img', { src: 'https://evil.example/a.png', width: '200', height: '100', alt: 'Product' }),
      element('img', { src: 'https://evil.example/b.png', alt: '"><script>' }),
      element('canvas', { width: '300', height: '150', class: 'chart' }, text('Update your browser')),
    )
    expect(sourceOf(sized)).toMatch(/^data:image\/svg\+xml,<svg [^>]*width="200" height="100"/)
    expect(sourceOf(unsized)).toMatch(/^data:image\/svg\+xml,<svg xmlns="[^"]*">/)
    expect(drawing).toMatchObject({ tagName: 'img', attributes: { class: 'chart' }, childNodes: [] })
    expect(sourceOf(drawing)).toMatch(/width="300" height="150"/)
  })

  test('an invalid size is ignored', () => {
    const [box] = pageOf(element('img', { src: '/a', width: '1"/><script>', height: 5 }))
    expect(sourceOf(box)).not.toMatch(/script/)
  })

  test('a changed source is that of an image, and nothing else', () => {
    const image = element('img', { src: 'https://shop.example/a.png' })
    const link = element('a', { href: '#' })
    const changed = (keepsRemote: boolean) => {
      const events = [
        snapshot(image, link),
        change({
          source: 0,
          attributes: [
            { id: image.id, attributes: { src: 'https://shop.example/b.png' } },
            { id: link.id, attributes: { href: 'https://shop.example/pay', src: 'https://shop.example/c.png' } },
          ],
        }),
      ]
      const data = frames(events, keepsRemote)[1]?.data as unknown as { attributes: { attributes: object }[] }
      return data.attributes.map(({ attributes }) => attributes)
    }
    expect(changed(true)).toEqual([{ src: 'https://shop.example/b.png' }, { href: '#' }])
    expect(changed(false)).toEqual([{ src: expect.stringMatching(/^data:image/) }, { href: '#' }])
  })
})

test('stylesheets of the site are counted, and load only if the viewer asks', () => {
  const sheet = (attributes: object) => element('link', { rel: 'stylesheet', ...attributes })
  const page = [
    snapshot(
      sheet({ href: 'https://shop.example/a.css', media: 'print', onload: 'alert(1)' }),
      sheet({ href: 'javascript:alert(1)' }),
      sheet({ href: 'https://shop.example/b.css', rel: 'alternate stylesheet' }),
      sheet({ href: 'https://shop.example/c.css', _cssText: 'b{}' }),
      element('link', { rel: 'preload', href: 'https://shop.example/d.css' }),
    ),
  ]
  expect(read(page).stylesheets).toBe(1)
  expect(read(page).frames.join()).not.toContain('shop.example')
  const asked = read(page, true)
  expect(asked.stylesheets).toBe(0)
  expect(asked.frames.join().match(/"href":"[^"]*"/g)).toEqual(['"href":"https://shop.example/a.css"'])
  expect(asked.frames.join()).not.toMatch(/alert|onload/)
})

test('the text of a style stays CSS when it changes', () => {
  const css = text('b{color:red}')
  const events = [
    snapshot(element('style', {}, css)),
    change({ source: 0, texts: [{ id: css.id, value: '@import "https://evil.example/a.css";b{}' }] }),
  ]
  expect(read(events).frames.join()).not.toContain('evil.example')
})

test('damaged recordings give nothing, and no error', () => {
  for (const bytes of ['', '[', '{}', 'x', '[{"type":2,"timestamp":1794702460000,"data":{"node":5}}]'])
    expect(readFrames(openRecording({ keepsRemote: false }), Buffer.from(bytes)).frames).toEqual([])
})

test('whatever the nodes hold, no name of what runs is left', () => {
  const value = fc.constantFrom(
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\u0001javascript:alert(1)',
    '\tjavascript:alert(1)',
    'x',
  )
  const name = fc.constantFrom(
    'href',
    'src',
    'onclick',
    'ONLOAD',
    'srcdoc',
    'action',
    'xlink:href',
    'formaction',
    'data',
    'poster',
    'to',
    '__proto__',
  )
  const node = fc.record({
    tagName: fc.constantFrom(
      'a',
      'A',
      'svg',
      'math',
      'iframe',
      'script',
      'x-y',
      'form',
      '',
      'b c',
      'noscript',
      'template',
    ),
    attributes: fc.dictionary(name, value),
  })
  fc.assert(
    fc.property(fc.array(node, { maxLength: 20 }), nodes => {
      const built = nodes.map(({ tagName, attributes }) => element(tagName, attributes))
      expect(read([snapshot(...built)]).frames.join()).not.toMatch(/javascript|onclick|onload|srcdoc|"script"/i)
    }),
    { seed: 16, numRuns: 200 },
  )
})

test.each([
  ['a{color:red}', 'a{color:red}'],
  ['.md\\:flex{color:red}', '.md\\:flex{color:red}'],
  ['a{background:url(#x)}', 'a{background:url(#x)}'],
  ['@font-face{src:url(data:font/woff2;base64,AA)}', '@font-face{src:url(data:font/woff2;base64,AA)}'],
  ['@IMPORT url("//evil.example");a{}', 'a{}'],
  ['@im\\70ort "//evil.example"', ''],
  [
    '.\\@container{container-type:inline-size}.\\@md\\:flex{}',
    '.\\@container{container-type:inline-size}.\\@md\\:flex{}',
  ],
  ['.\\@import{color:red}', '.\\@import{color:red}'],
  ['a{background:\\75 rl("//evil.example/")}', 'a{background:url("data:,")}'],
  ['a{background:u\\r\\l("//evil.example/")}', 'a{background:url("data:,")}'],
  ['a{background:image\\2dset("//evil.example/" 1x)}', 'a{background:none}'],
  ['a{background:\\-webkit-image\\-set("//evil.example/" 1x)}', 'a{background:none}'],
  ['a{background:url( "//evil.example/)" )}', 'a{background:url("data:,")}'],
])('the CSS %s becomes %s', (css, expected) => {
  expect(sanitizeCss(css, false)).toBe(expected)
})
