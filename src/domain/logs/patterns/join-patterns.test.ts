import { expect, test } from 'vitest'
import { createRandom } from '../../../../test/fuzz/random.ts'
import { logTemplates } from '../../../../test/log-templates.ts'
import { patternText } from '../line-pattern.ts'
import { joinPatterns } from './join-patterns.ts'

const join = (...texts: string[]) => joinPatterns(texts, text => text).map(({ text, items }) => [text, items.length])

test('patterns that differ in a word become one, with a value in its place', () => {
  expect(join('no express quote for Norway', 'no express quote for Sweden', 'no express quote for <*>')).toEqual([
    ['no express quote for <*>', 3],
  ])
})

test('patterns of other lengths or with other first words stay apart', () => {
  expect(join('cart <*> locked by worker', 'cart <*> locked by the worker', 'order <*> locked by worker')).toHaveLength(
    3,
  )
})

test('short patterns are not joined: two of three words may mean the opposite', () => {
  expect(join('payment was accepted', 'payment was refused')).toHaveLength(2)
})

test('values are no reason to join', () => {
  expect(join('<*> <*> <*> alpha', '<*> <*> <*> beta')).toHaveLength(2)
})

test('names, paths and places with many words are values, also in the first words of a line', () => {
  expect(join('User Ada logged in', 'User Bob logged in', 'User Ada Byron logged in')).toEqual([
    ['User <*> logged in', 3],
  ])
  expect(join('GET /cart <*> in <*>', 'GET /items/<*> <*> in <*>')).toEqual([['GET /<*> <*> in <*>', 2]])
  expect(
    join(
      'term mug returned <*> results',
      'term hat returned <*> results',
      'term blue pot returned <*> results',
      'term tea returned <*> results',
    ),
  ).toEqual([['term <*> returned <*> results', 4]])
  expect(join('config reloaded force=true', 'config reloaded force=false')).toEqual([['config reloaded force=<*>', 2]])
})

test.each([
  [['job reindex started', 'job reindex failed: timeout']],
  [['payment <*> accepted', 'payment <*> refused', 'payment <*> canceled', 'payment <*> captured']],
  [['cache hit for key <*> of cart', 'cache miss for key <*> of cart']],
  [['the health of service <*> in region <*> is up', 'the health of service <*> in region <*> is down']],
  [['acquired lock on table orders by worker <*>', 'released lock on table orders by worker <*>']],
  [['TypeError: cart is not iterable', 'RangeError: cart is not iterable']],
  [['Unhandled rejection: database is down', 'Unhandled rejection: card declined']],
  [['level=info msg=started path=/cart', 'level=info msg=stopped path=/cart']],
])('lines that differ in what happened stay apart: %j', texts => {
  expect(join(...texts)).toHaveLength(texts.length)
})

test('what follows a failure is its reason', () => {
  expect(
    join('job <*> failed: timeout', 'job <*> failed: no connection', 'job <*> failed: invalid payload: no id'),
  ).toEqual([['job <*> failed: <*>', 3]])
})

const linesOfEach = 60

/** Of all pairs of lines: the share of those joined that belong together, and of those that belong together that are joined. */
function judge(templates: Readonly<Record<string, () => string>>) {
  const lines = Object.entries(templates).flatMap(([template, write]) =>
    Array.from({ length: linesOfEach }, () => ({ template, text: patternText({ template: '', body: write() }) })),
  )
  const pairs = (counts: readonly number[]) => counts.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0)
  const sizes = (of: readonly { template: string }[]) =>
    [...Map.groupBy(of, ({ template }) => template).values()].map(({ length }) => length)
  const groups = joinPatterns(lines, ({ text }) => text).map(({ items }) => items)
  const right = groups.reduce((sum, items) => sum + pairs(sizes(items)), 0)
  return { precision: right / pairs(groups.map(({ length }) => length)), recall: right / pairs(sizes(lines)) }
}

test.each(Object.entries(logTemplates))('most lines of %s find the template that wrote them', (_, templates) => {
  const { precision, recall } = judge(templates)
  expect(precision).toBeGreaterThanOrEqual(0.99)
  expect(recall).toBeGreaterThanOrEqual(0.97)
})

test('every item comes back once, whatever the lines are', () => {
  const random = createRandom(5)
  const words = ['a', 'Ada', '<*>', '/x', 'k=v', 'failed:', 'closed', '', 'x:<*>', "'q'", '<', '<*', 'É']
  for (let round = 0; round < 50; round++) {
    const texts = Array.from({ length: 60 }, () =>
      Array.from({ length: 1 + random.int(8) }, () => random.pick(words)).join(' '),
    )
    const items = joinPatterns(texts, text => text).flatMap(each => each.items)
    expect(items.toSorted()).toEqual(texts.toSorted())
  }
})
