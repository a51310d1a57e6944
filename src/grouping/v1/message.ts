import type { ExceptionValue, StoredEvent } from '#protocol/event.ts'
import { calleeName, memberName } from './frame-part.ts'
import { languageFailures } from './language-wordings.ts'
import type { Rules } from './rules.ts'
import { dataFailures, type Failure, networkFailures, pageFailures } from './wordings.ts'

export type ParsedMessage = {
  /** One name for types that engines name differently: Firefox calls a RangeError InternalError. */
  type: string
  /** Computed on demand: an error with a stable frame does not need it. */
  text: () => string
  /** Whether the message is a known one of an engine or framework. */
  isFailure: boolean
  isRecursion: boolean
  /**
   * How much the message identifies. `bug`: the app wrote it for this case. `kind`: a kind of bug that happens in many places.
   * `all`: the same problem wherever it happens.
   */
  identifies: 'bug' | 'kind' | 'all'
}

export function readMessage({ type = '', value = '' }: ExceptionValue, { parametrize }: Rules): ParsedMessage {
  const found = findFailure(type, value)
  if (found === null) {
    const text = () => parametrize(value)
    return { type, text, isFailure: false, isRecursion: false, identifies: value === '' ? 'kind' : 'bug' }
  }
  const { failure: known, text } = found
  return {
    type: known.type ?? type,
    text: () => text(parametrize),
    isFailure: true,
    isRecursion: known.isRecursion === true,
    identifies: known.identifies,
  }
}

/** Whether React found that server and browser rendered different content, in any of its wordings. */
export const isHydrationError = ({ type, isFailure }: ParsedMessage): boolean => isFailure && type === 'HydrationError'

/** The message template if there is one, since only its parameters vary. */
export function messageOf(event: StoredEvent): string {
  return event.logentry?.message ?? event.logentry?.formatted ?? ''
}

/** Chars. Messages of engines are short; a longer one is the app's own. */
const maxChars = 2_000

const all: readonly Failure[] = [...networkFailures, ...pageFailures, ...languageFailures, ...dataFailures]
const ofAnyType = toMatcher(all.filter(failure => failure.onlyTypes === undefined))
const byType = new Map(
  [...new Set(all.flatMap(failure => failure.onlyTypes ?? []))].map(type => [
    type,
    toMatcher(all.filter(failure => failure.onlyTypes?.includes(type) ?? true)),
  ]),
)
const placeholder = /\{(\w+)\}/g

type FoundFailure = { failure: Failure; text: (parametrize: Rules['parametrize']) => string }

/** The known failure behind a message of an engine or framework; null for a message of the app. */
export function findFailure(type: string, value: string): FoundFailure | null {
  if (type === 'ChunkLoadError') return chunkFailure
  if (value === '' || value.length > maxChars) return null
  const { failures, any } = byType.get(type) ?? ofAnyType
  if (!any.test(value)) return null
  for (const failure of failures) {
    for (const wording of failure.wordings) {
      const found = wording.exec(value)
      if (found !== null)
        return { failure, text: parametrize => parametrize(fillMessage(failure.message, found.groups ?? {})) }
    }
  }
  return null
}

/** With one pattern that matches any wording, because most messages match none. */
function toMatcher(failures: readonly Failure[]): { failures: readonly Failure[]; any: RegExp } {
  const sources = failures.flatMap(({ wordings }) => wordings.map(({ source }) => source.replace(/\(\?<\w+>/g, '(?:')))
  return { failures, any: new RegExp(sources.join('|'), 's') }
}

const [chunkLoad] = networkFailures
const chunkFailure = chunkLoad === undefined ? null : { failure: chunkLoad, text: () => chunkLoad.message }

function fillMessage(message: string, found: Record<string, string | undefined>): string {
  if (!message.includes('{')) return message
  return message.replace(placeholder, (_, name: string) => {
    if (name === 'function') return calleeName(found.callee ?? '')
    if (name === 'host' || name === 'keys') return found[name] ?? ''
    return (name === 'property' ? (found.property ?? memberName(found.expression ?? '')) : found[name]) || '(unnamed)'
  })
}
