/** Stacks that belong to no error: of messages, and of the threads of a program. */
import { isObject, type JsonObject, objectOf, textOf } from './json-value.ts'

export type BareStack = {
  /** Null for the stack of the event itself. */
  thread: { id: string; name: string; isCrashed: boolean; isCurrent: boolean } | null
  stack: JsonObject
}

/** The stack of the event, then those of its threads: the crashed one first, then the current one. Threads without frames are skipped. */
export function bareStacksOf(event: JsonObject): BareStack[] {
  const own = objectOf(event.stacktrace)
  const threads = threadsOf(event).flatMap(thread => {
    const stack = objectOf(thread.stacktrace)
    return stack !== undefined && hasFrames(stack) ? [{ thread: readThread(thread), stack }] : []
  })
  const rank = ({ thread }: (typeof threads)[number]) => (thread.isCrashed ? 0 : thread.isCurrent ? 1 : 2)
  return [
    ...(own !== undefined && hasFrames(own) ? [{ thread: null, stack: own }] : []),
    ...threads.toSorted((a, b) => rank(a) - rank(b)),
  ]
}

/** Sent as a list, or as an object with the list. */
function threadsOf(event: JsonObject): JsonObject[] {
  const list = isObject(event.threads) ? event.threads.values : event.threads
  return Array.isArray(list) ? list.filter(isObject) : []
}

const hasFrames = ({ frames }: JsonObject): boolean => Array.isArray(frames) && frames.some(isObject)

const readThread = (thread: JsonObject) => ({
  id: textOf(thread.id),
  name: textOf(thread.name),
  isCrashed: thread.crashed === true,
  isCurrent: thread.current === true,
})
