import fc from 'fast-check'
import { expect, test } from 'vitest'
import { growthOf, linearGrowth } from '../../../test/growth-of.ts'
import { type Block, type Inline, listMentions } from './markdown.ts'
import { createInlineParser } from './parse-inline.ts'
import { maxMarkdownChars, parseMarkdown } from './parse-markdown.ts'

const people = [
  { id: 'user:1', handle: 'Ada Lovelace' },
  { id: 'user:2', handle: 'Ada' },
  { id: 'team:3', handle: 'front-end' },
  { id: 'user:4', handle: 'Sam' },
  { id: 'user:5', handle: 'sam' },
]

/** As HTML, which is shorter to compare. */
const show = (text: string): string => parseMarkdown(text, people).map(showNode).join('')
function showNode(node: Block | Inline): string {
  const inner = (nodes: readonly (Block | Inline)[]) => nodes.map(showNode).join('')
  switch (node.kind) {
    case 'text':
      return node.text
    case 'break':
      return '<br>'
    case 'code':
      return `<code>${node.text}</code>`
    case 'mention':
      return `<@${node.ids.join()}>${node.text}</@>`
    case 'link':
      return `<a ${node.href}>${inner(node.children)}</a>`
    case 'list': {
      const tag = node.isOrdered ? `ol ${node.start}` : 'ul'
      return `<${tag}>${node.items.map(item => `<li>${inner(item)}</li>`).join('')}</${tag}>`
    }
    default:
      return `<${node.kind}>${inner(node.children)}</${node.kind}>`
  }
}
const line = (text: string): string => show(text).replace(/^<paragraph>|<\/paragraph>$/g, '')

test.each([
  ['one\ntwo\n\nthree', '<paragraph>one<br>two</paragraph><paragraph>three</paragraph>'],
  ['> a\n> b\n\nc', '<quote><paragraph>a<br>b</paragraph></quote><paragraph>c</paragraph>'],
  ['> > a', '<quote><quote><paragraph>a</paragraph></quote></quote>'],
  ['- a\n- b\n  - c\n\n- d', '<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>'],
  ['3. a\n4. b\n- c', '<ol 3><li>a</li><li>b</li></ol 3><ul><li>c</li></ul>'],
  ['```ts\nconst a = "*b*"\n\n> c\n```\nd', '<code>const a = "*b*"\n\n> c</code><paragraph>d</paragraph>'],
  ['~~~\nnever closed', '<code>never closed</code>'],
  ['-5 degrees', '<paragraph>-5 degrees</paragraph>'],
  ['# no heading', '<paragraph># no heading</paragraph>'],
])('%j has the blocks %s', (text, wanted) => {
  expect(show(text).replaceAll(/<li><paragraph>(.*?)<\/paragraph>/gs, '<li>$1')).toBe(wanted)
})

test.each([
  [
    '**a** and *b* and __c__ and _d_',
    '<bold>a</bold> and <italic>b</italic> and <bold>c</bold> and <italic>d</italic>',
  ],
  ['***both*** **a *b* c**', '<bold><italic>both</italic></bold> <bold>a <italic>b</italic> c</bold>'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['**open and *open', '**open and *open'],
  ['`a ** b` and ``c ` d``', '<code>a ** b</code> and <code>c ` d</code>'],
  ['\\*not\\* \\`code\\` a\\b', '*not* `code` a\\b'],
  ['[**a** b](https://x.example/?q=1)', '<a https://x.example/?q=1><bold>a</bold> b</a>'],
  ['[write](mailto:ada@example.com)', '<a mailto:ada@example.com>write</a>'],
  [
    'see https://x.example/a_b_c. Or (https://y.example)',
    'see <a https://x.example/a_b_c>https://x.example/a_b_c</a>. Or (<a https://y.example/>https://y.example</a>)',
  ],
  ['**https://x.example/**', '<bold><a https://x.example/>https://x.example/</a></bold>'],
  ['https://x.example/a_(b)', '<a https://x.example/a_(b)>https://x.example/a_(b)</a>'],
  ['![x](https://x.example/a.png)', '!<a https://x.example/a.png>x</a>'],
  ['<b onclick="x">a</b>', '<b onclick="x">a</b>'],
])('%j reads %s', (text, wanted) => expect(line(text)).toBe(wanted))

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  '//x.example',
  '/acme/settings',
  'https://',
  'mailto:a b@example.com',
])('[a](%s) is no link', target => {
  const nodes = parseMarkdown(`[a](${target})`).flatMap(block => (block.kind === 'paragraph' ? block.children : []))
  expect(nodes.filter(({ kind }) => kind === 'link')).toEqual([])
})

test('a mention is the longest name, in any case, and not in code, in a word or before one', () => {
  expect(line('@ada lovelace, @ADA and @front-end!')).toBe(
    '<@user:1>@ada lovelace</@>, <@user:2>@ADA</@> and <@team:3>@front-end</@>!',
  )
  expect(line('a@ada @adam `@ada` @nobody')).toBe('a@ada @adam <code>@ada</code> @nobody')
  const mentions = listMentions(parseMarkdown('> - **@ada**\n\n@sam, again @Ada', people))
  expect(mentions).toEqual(['user:2', 'user:4', 'user:5'])
})

const marks = ['*', '**', '_', '`', '```', '[', ']', '](', ')', '@', '@ada', '>', '> ', '- ', '1. ', '\n', '\n\n', '  ']
const pieces = [...marks, '\\', 'https://x.example/', 'a', ' ', '~~~', '<script>', '\u202e', '\ud800', 'http://[']

test('hostile text gives bounded trees, safe links and loses no word', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 200 }), parts => {
      const text = parts.join('')
      const blocks = parseMarkdown(text, people)
      let depth = 0
      const visit = (node: Block | Inline, level: number): void => {
        depth = Math.max(depth, level)
        if (node.kind === 'link') expect(node.href).toMatch(/^(https?:\/\/[^/]|mailto:)/)
        if (node.kind === 'list') for (const each of node.items.flat()) visit(each, level + 1)
        else if ('children' in node) for (const each of node.children) visit(each, level + 1)
      }
      for (const block of blocks) visit(block, 0)
      expect(depth).toBeLessThan(40)
      const count = (value: string) => value.split('script').length
      // The info string of a fence is not shown.
      if (!text.includes('```') && !text.includes('~~~')) expect(count(JSON.stringify(blocks))).toBe(count(text))
    }),
    { numRuns: 2_000 },
  )
})

test('a longer text is cut', () => {
  const blocks = parseMarkdown('a'.repeat(maxMarkdownChars + 5))
  expect(blocks).toEqual([{ kind: 'paragraph', children: [{ kind: 'text', text: 'a'.repeat(maxMarkdownChars) }] }])
})

test.each([
  '*',
  '**a ',
  '[',
  '[a](',
  '[](',
  '`',
  '`` ` ',
  '@',
  '@ada ',
  'http://',
  'https://a)',
  '_a',
  '\\',
  '[*a](http://',
])('the time to parse %j over and over is linear', piece => {
  const inline = createInlineParser(people)
  expect(growthOf(size => inline(piece.repeat(size / piece.length)), 20_000)).toBeLessThan(linearGrowth)
})

test.each(['> ', '- ', '>', '- a\n', '\n', '  ', '1. '])('so is the time for blocks of %j', piece => {
  expect(growthOf(size => parseMarkdown(piece.repeat(size)), 400)).toBeLessThan(linearGrowth)
})
