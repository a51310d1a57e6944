/** Decides which alerts a summary names and which it only counts, for bursts of a rule and for channels at their limit. */
import { formatWhole } from '#lib/format-whole.ts'
import { lineOf } from './text.ts'

/** The type and severity of a message. */
export type Weighed = { type: string; severity: string }

/** A summary names at most this many alerts. */
export const maxNamed = 20

const ranks: Record<string, number> = {
  'issue.new': 1,
  'incident.opened': 1,
  'incident.worsened': 1,
  'issue.regressed': 2,
  'issue.escalating': 3,
  'issue.frequent': 4,
  'incident.improved': 6,
  'incident.closed': 7,
  'issue.resolved': 8,
}
const otherRank = 5

const rankOf = ({ type, severity }: Weighed): number => (severity === 'critical' ? 0 : (ranks[type] ?? otherRank))

/** Ends are only counted, unless everything fits. */
const isOver = (message: Weighed): boolean => rankOf(message) > otherRank

/** Critical ones first, then new ones; of equal ones, in their order. */
export const worstFirst = <Message extends Weighed>(messages: readonly Message[]): Message[] =>
  messages
    .map((message, index) => ({ message, index }))
    .sort((a, b) => rankOf(a.message) - rankOf(b.message) || a.index - b.index)
    .map(({ message }) => message)

/** How many of each type a summary only counts. */
export type Counts = Readonly<Record<string, number>>

/** The worst by name, and how many of each type the others are. */
export function splitNamed<Message extends Weighed>(
  messages: readonly Message[],
  uncounted: Counts = {},
): { named: Message[]; rest: Counts } {
  const sorted = worstFirst(messages)
  const fits = sorted.length <= maxNamed && countOf(uncounted) === 0
  const named = (fits ? sorted : sorted.filter(message => !isOver(message))).slice(0, maxNamed)
  const isNamed = new Set(named)
  const rest: Record<string, number> = { ...uncounted }
  for (const message of sorted) if (!isNamed.has(message)) rest[message.type] = (rest[message.type] ?? 0) + 1
  return { named, rest }
}

export const countOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

const s = (count: number, noun: string): string => `${noun}${count === 1 ? '' : 's'}`
const words: Record<string, (count: number, more: string) => string> = {
  'issue.new': (count, more) => `${more}new ${s(count, 'issue')}`,
  'issue.regressed': (count, more) => `${more}regressed ${s(count, 'issue')}`,
  'issue.escalating': (count, more) => `${more}escalating ${s(count, 'issue')}`,
  'issue.frequent': (count, more) => `${more}frequent ${s(count, 'issue')}`,
  'issue.resolved': (count, more) => `${more}${s(count, 'issue')} resolved`,
  'incident.opened': (count, more) => `${more}${s(count, 'incident')} opened`,
  'incident.worsened': (count, more) => `${more}${s(count, 'incident')} got worse`,
  'incident.improved': (count, more) => `${more}${s(count, 'incident')} got better`,
  'incident.closed': (count, more) => `${more}${s(count, 'incident')} resolved`,
}

/** `1,676 issues resolved`, one line for each type, the worst type first. `named`: the alerts that are listed above them. */
export function describeCounts(counts: Counts, named: readonly Weighed[] = []): string[] {
  const types = worstFirst(
    Object.keys(counts)
      .filter(type => (counts[type] ?? 0) > 0)
      .map(type => ({ type, severity: '' })),
  )
  return types.map(({ type }) => {
    const count = counts[type] ?? 0
    const more = named.some(each => each.type === type) ? 'more ' : ''
    return `${formatWhole(count)} ${words[type]?.(count, more) ?? `${more}${s(count, 'alert')}`}`
  })
}

/** `New: TypeError: x is undefined, and 11 more new issues`: the worst by name. A title doesn't name ends. */
export function titleSummary(named: readonly (Weighed & { title: string })[], rest: Counts): string {
  const [worst] = named
  if (worst === undefined || isOver(worst)) {
    const all: Record<string, number> = { ...rest }
    for (const { type } of named) all[type] = (all[type] ?? 0) + 1
    return describeCounts(all).join(', ') || 'Alerts'
  }
  const others = named.length - 1 + countOf(rest)
  if (others === 0) return worst.title
  const isOneType =
    named.every(({ type }) => type === worst.type) && Object.keys(rest).every(type => type === worst.type)
  const [told] = isOneType ? describeCounts({ [worst.type]: others }, [worst]) : []
  // The number must be seen, however long the title of the worst is.
  const tail = `, and ${told ?? `${formatWhole(others)} more ${s(others, 'alert')}`}`
  return `${lineOf(worst.title, maxTitle - tail.length)}${tail}`
}

/** The shortest title limit of a channel, with room for a project before it. */
const maxTitle = 120
