import type { ExceptionValue, StoredEvent } from '#protocol/event.ts'
import { calleeName, memberName } from './frame-part.ts'
import { languageFailures } from './language-wordings.ts'
import { parametrize } from './parametrize.ts'
import { dataFailures, type Failure, networkFailures, pageFailures } from './wordings.ts'

export type ParsedMessage = {
  /** One name for what engines name differently: Firefox calls a RangeError InternalError. */
  type: string
  /** Made when it is asked for: an error that its stack places needs none. */
  text: () => string
  /** Whether an engine or framework said it in words of its own. */
  isFailure: boolean
  isRecursion: boolean
  /**
   * What the text tells. A `bug`: somebody wrote it for this case. A `kind` of bug: it happens in many places. `all` there is to
   * know: it is the same problem wherever it happens.
   */
  identifies: 'bug' | 'kind' | 'all'
}

export function readMessage({ type = '', value = '' }: ExceptionValue): ParsedMessage {
  const found = findFailure(type, value)
  if (found === null) {
    const text = () => parametrize(value)
    return { type, text, isFailure: false, isRecursion: false, identifies: value === '' ? 'kind' : 'bug' }
  }
  const { failure: known, text } = found
  return {
    type: known.type ?? type,
    text,
    isFailure: true,
    isRecursion: known.isRecursion === true,
    identifies: known.identifies,
  }
}

/** The template where there is one: its parameters are what differs. */
export function messageOf(event: StoredEvent): string {
  return event.logentry?.message ?? event.logentry?.formatted ?? ''
}

/** Chars. What engines say is short; a longer text is somebody's own. */
const maxChars = 2_000

const all: readonly Failure[] = [...networkFailures, ...pageFailures, ...languageFailures, ...dataFailures]
const ofAnyType = shelfOf(all.filter(failure => failure.onlyTypes === undefined))
const byType = new Map(
  [...new Set(all.flatMap(failure => failure.onlyTypes ?? []))].map(type => [
    type,
    shelfOf(all.filter(failure => failure.onlyTypes?.includes(type) ?? true)),
  ]),
)
const placeholder = /\{(\w+)\}/g

/** The failure that an engine's or framework's words stand for, told in ours; null when somebody else wrote them. */
export function findFailure(type: string, value: string): { failure: Failure; text: () => string } | null {
  if (type === 'ChunkLoadError') return chunkFailure
  if (value === '' || value.length > maxChars) return null
  const { failures, any } = byType.get(type) ?? ofAnyType
  if (!any.test(value)) return null
  for (const failure of failures) {
    for (const wording of failure.wordings) {
      const found = wording.exec(value)
      if (found !== null) return { failure, text: () => tell(failure.message, found.groups ?? {}) }
    }
  }
  return null
}

/** With one pattern that finds any of them: most messages are nobody's wording, and one look tells. */
function shelfOf(failures: readonly Failure[]): { failures: readonly Failure[]; any: RegExp } {
  const sources = failures.flatMap(({ wordings }) => wordings.map(({ source }) => source.replace(/\(\?<\w+>/g, '(?:')))
  return { failures, any: new RegExp(sources.join('|'), 's') }
}

const [chunkLoad] = networkFailures
const chunkFailure = chunkLoad === undefined ? null : { failure: chunkLoad, text: () => chunkLoad.message }

function tell(message: string, found: Record<string, string | undefined>): string {
  if (!message.includes('{')) return message
  const filled = message.replace(placeholder, (_, name: string) => {
    if (name === 'function') return calleeName(found.callee ?? '')
    if (name === 'host' || name === 'keys') return found[name] ?? ''
    return (name === 'property' ? (found.property ?? memberName(found.expression ?? '')) : found[name]) || '(unnamed)'
  })
  return parametrize(filled)
}
