import { expect, test } from 'vitest'
import { describeCounts, maxNamed, splitNamed, titleSummary } from './worst-first.ts'

const message = (type: string, index = 0, severity = 'warning') => ({ type, severity, title: `${type} ${index}` })
const many = (type: string, count: number, severity?: string) =>
  Array.from({ length: count }, (_, index) => message(type, index, severity))
const named = (messages: ReturnType<typeof many>) => splitNamed(messages).named.map(({ title }) => title)

test('what is critical comes first, then what is new, and then the rest in its order', () => {
  const messages = [
    message('issue.resolved', 1, 'info'),
    message('issue.regressed', 1),
    message('issue.new', 1),
    message('issue.new', 2, 'info'),
    message('issue.escalating', 1, 'critical'),
    message('incident.opened', 1),
  ]
  expect(named(messages)).toEqual([
    'issue.escalating 1',
    'issue.new 1',
    'issue.new 2',
    'incident.opened 1',
    'issue.regressed 1',
    'issue.resolved 1',
  ])
})

test('a fatal issue behind a flood of resolved ones is named first, in the list and in the title', () => {
  const { named: list, rest } = splitNamed([
    ...many('issue.resolved', 1_676, 'info'),
    message('issue.new', 7, 'critical'),
  ])
  expect(list.map(({ title }) => title)).toEqual(['issue.new 7'])
  expect(describeCounts(rest, list)).toEqual(['1,676 issues resolved'])
  expect(titleSummary(list, rest)).toBe('issue.new 7, and 1,676 more alerts')
})

test.each([
  [maxNamed, maxNamed, []],
  [maxNamed + 1, maxNamed, ['1 more new issue']],
  [1_052, maxNamed, ['1,032 more new issues']],
])('of %i new issues, %i are named', (count, listed, lines) => {
  const { named: list, rest } = splitNamed(many('issue.new', count))
  expect([list.length, describeCounts(rest, list)]).toEqual([listed, lines])
})

test('what is over has names only where everything fits', () => {
  expect(named(many('issue.resolved', maxNamed))).toHaveLength(maxNamed)
  const { named: list, rest } = splitNamed(many('issue.resolved', maxNamed + 1))
  expect([list, titleSummary(list, rest)]).toEqual([[], '21 issues resolved'])
})

test('each kind of message gets its own line', () => {
  const rest = { 'issue.new': 1, 'issue.regressed': 2, 'incident.closed': 1, 'issue.resolved': 3, other: 4 }
  expect(describeCounts(rest)).toEqual([
    '1 new issue',
    '2 regressed issues',
    '4 alerts',
    '1 incident resolved',
    '3 issues resolved',
  ])
})

test('the title keeps its number however long the worst is, and says it alone if there is nothing else', () => {
  const worst = { ...message('issue.new'), title: 'x'.repeat(5_000) }
  expect(titleSummary([worst, message('issue.new', 1)], {})).toMatch(/^x{50,}…, and 1 more new issue$/)
  expect(titleSummary([message('issue.new')], {})).toBe('issue.new 0')
})
