import { textOf } from '#lib/json-value.ts'
import type { Frame, StoredEvent } from '#protocol/event.ts'
import { isOwnFrame } from './is-own-frame.ts'
import { messageOf } from './message-of.ts'

type Read = (event: StoredEvent) => unknown

const errorOf = (event: StoredEvent) => event.exception?.values.at(-1)

/** The app's frame nearest to the throw. */
function frameOf(event: StoredEvent): Frame | undefined {
  const frames = errorOf(event)?.stacktrace?.frames ?? []
  return frames.findLast(isOwnFrame) ?? frames.at(-1)
}

const readers = new Map<string, Read>([
  ['error.type', event => errorOf(event)?.type],
  ['type', event => errorOf(event)?.type],
  ['error.value', event => errorOf(event)?.value],
  ['value', event => errorOf(event)?.value],
  ['message', event => messageOf(event) || errorOf(event)?.value],
  ['function', event => frameOf(event)?.function],
  ['stack.function', event => frameOf(event)?.function],
  ['module', event => frameOf(event)?.module],
  ['stack.module', event => frameOf(event)?.module],
  ['package', event => frameOf(event)?.package],
  ['stack.package', event => frameOf(event)?.package],
  ['path', event => frameOf(event)?.abs_path ?? frameOf(event)?.filename],
  ['stack.abs_path', event => frameOf(event)?.abs_path ?? frameOf(event)?.filename],
  ['level', event => event.level],
  ['logger', event => event.logger],
  ['platform', event => event.platform],
  ['transaction', event => event.transaction],
  ['release', event => event.release],
  ['dist', event => event.dist],
  ['environment', event => event.environment],
  ['sdk', event => event.sdk?.name],
])

/** '' where the event lacks it, undefined where there is no such variable. */
export function fingerprintVariable(name: string, event: StoredEvent): string | undefined {
  if (name.startsWith('tags.')) {
    const key = name.slice('tags.'.length)
    return Object.hasOwn(event.tags, key) ? textOf(event.tags[key]) : ''
  }
  const read = readers.get(name)
  return read === undefined ? undefined : textOf(read(event))
}
