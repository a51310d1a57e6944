import type { ExceptionValue } from '#protocol/event.ts'
import type { IgnoredNotes, Part } from '../fingerprint.ts'
import { readMessage, type Said } from './read-message.ts'
import { readStack } from './read-stack.ts'

export type Evidence = {
  parts: Part[]
  /** Whether the parts tell what happened, but neither in somebody's own words nor where. */
  needsPlace: boolean
}

const nothing: Evidence = { parts: [], needsPlace: true }

/** Type and stack; where the stack does not tell a lasting place, type and message. */
export function exceptionParts(exception: ExceptionValue, ignored: IgnoredNotes): Evidence {
  const isSynthetic = exception.mechanism?.synthetic === true
  const said = readMessage(exception)
  // The SDK made up the type of what was thrown without being an error.
  const type: Part[] = isSynthetic || said.type === '' ? [] : [{ kind: 'type', value: said.type }]
  if (said.tells === 'all') {
    ignored?.push({
      what: 'stack',
      why: 'this failure is one problem wherever it happens, and not every browser has a stack for it',
    })
    return { parts: [...type, ...messageParts(said)], needsPlace: false }
  }
  const stack = readStack(exception.stacktrace?.frames ?? [], ignored)
  if (stack.tellsPlace && !isSynthetic && exception.type !== undefined) {
    ignored?.push({ what: `message “${said.text()}”`, why: 'the stack tells the place' })
    return { parts: [...type, ...(said.isRecursion ? sorted(stack.frames) : stack.frames)], needsPlace: false }
  }
  const message = messageParts(said)
  if (type.length + message.length + stack.frames.length === 0) return nothing
  const isPlaced = stack.tellsPlace || (stack.frames.length > 0 && !stack.endsMinified)
  const frames = isPlaced ? stack.frames : []
  return { parts: [...type, ...message, ...frames], needsPlace: !isPlaced && said.tells === 'kind' }
}

function messageParts({ text, isFailure }: Said): Part[] {
  const value = text()
  return value === '' ? [] : [{ kind: isFailure ? 'failure' : 'message', value }]
}

/** Where a recursion runs out of stack is chance: the same functions are the same bug. */
const sorted = (parts: Part[]): Part[] => parts.toSorted((a, b) => (a.value < b.value ? -1 : 1))
