/** Which words of a masked line can be values, by how they are written and without knowing the app. */
import { placeholder } from '../mask-text.ts'

/**
 * `fixed`: says what happened. `plain`: a lowercase word, which may be either. `name`: written as names of people, places, codes and
 * products are. `value`: a path, a host, a quoted word, `key=value`, or anything with a masked part.
 */
export type WordKind = 'fixed' | 'plain' | 'name' | 'value'

const [opening, closing] = ['([{"\'`<', ')]}"\'`>,;:.!?']
const level =
  /^(?:trace|debug|info|notice|warn|warning|error|fatal|critical|exception|\w{0,60}(?:Error|Exception)|E[A-Z]{4,20})$/i
/** Words whose opposites stand in the same place: `accepted` and `refused`, `hit` and `miss`. */
const outcome =
  /^(?:\p{L}{2,40}(?:ed|ing)|hit|miss|lost|found|sent|up|down|ok|not|success|failure|timeout|done|begin|start|stop|end|before|after|in|out|open|close|login|logout|true|false|yes|no|enter|exit|left|joined)$/iu
/** Keys of logfmt whose value is what was said. */
const sayingKey = /^(?:msg|message|event|level|lvl|severity|err|error|type)=/i
const methods = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/

export function kindOf(word: string, index: number): WordKind {
  if (word === placeholder) return 'value'
  if (sayingKey.test(word)) return 'fixed'
  const core = withoutEdges(word)
  if (word.includes(placeholder) || isQuoted(word) || /^[\w.-]{1,60}=/.test(core)) return 'value'
  if (/\//.test(core) || /\p{L}\.\p{L}{2}/u.test(core)) return 'value'
  if (!/\p{L}/u.test(core) || level.test(core) || isOutcome(core)) return 'fixed'
  if (index === 0) return methods.test(core) ? 'name' : 'fixed'
  return /^[\p{Ll}’']+$/u.test(core) ? 'plain' : 'name'
}

/** Without brackets, quotes and marks around it. */
function withoutEdges(word: string): string {
  let [start, end] = [0, word.length]
  while (start < end && opening.includes(word[start] ?? ' ')) start += 1
  while (end > start && closing.includes(word[end - 1] ?? ' ')) end -= 1
  return word.slice(start, end)
}

const quotes = ['"', "'", '`']

function isQuoted(word: string): boolean {
  const last = Math.max(...quotes.map(quote => word.lastIndexOf(quote)))
  return quotes.includes(word[0] ?? '') && last > 0 && !/\w/.test(word.slice(last + 1))
}

/** `SPRING` is a code. */
const isOutcome = (core: string): boolean => outcome.test(core) && !/^\p{Lu}+ING$/u.test(core)

const failure = /fail|error|refus|reject|disconnect|closed|abort|cannot|could|unable|lost|denied|invalid/i
export const isFailure = (word: string): boolean => failure.test(word)

/** How many words say what the line is about. Levels, names of errors and the name of a logger in brackets do not. */
export const countSaying = (words: readonly string[]): number =>
  words.filter(word => {
    const core = withoutEdges(word.replaceAll(placeholder, ''))
    return /\p{L}/u.test(core) && !level.test(core) && !/^\[[^\]]*\]\W*$/.test(word)
  }).length

/** The common part of words in one place, around a value: `status=open` and `status=void` are `status=<*>`. */
export function unify(words: readonly string[]): string {
  const [first = '', ...others] = new Set(words)
  return others.reduce(unifyTwo, first)
}

const inWord = /[\p{L}\p{N}_]/u

function unifyTwo(one: string, two: string): string {
  if (one === placeholder || two === placeholder) return placeholder
  const most = Math.min(one.length, two.length)
  let start = 0
  while (start < most && one[start] === two[start]) start++
  while (start > 0 && (inWord.test(one[start - 1] ?? '') || isCut(one, start))) start--
  let end = 0
  while (end < most - start && one[one.length - 1 - end] === two[two.length - 1 - end]) end++
  while (end > 0 && (inWord.test(one[one.length - end] ?? '') || isCut(one, one.length - end))) end--
  return `${one.slice(0, start)}${placeholder}${one.slice(one.length - end)}`.replace(
    /<\*>(?:[-.,:/_%+@#]?<\*>)+/g,
    placeholder,
  )
}

/** Whether a place in a text is within a placeholder. */
const isCut = (text: string, at: number): boolean => {
  const begin = text.lastIndexOf('<', at - 1)
  return begin >= 0 && text.startsWith(placeholder, begin) && at < begin + placeholder.length
}
