/** The fingerprint that Hydrant finds by itself, as readable parts. */
import type { ExceptionValue, StoredEvent } from '#protocol/event.ts'
import { parametrise } from './parametrise.ts'
import { stackParts } from './stack-parts.ts'

export function defaultParts(event: StoredEvent): string[] {
  const chain = event.exception?.values ?? []
  const parts = chain.flatMap(exceptionParts)
  if (parts.length > 0) return parts
  const message = messageOf(event)
  return message === '' ? ['no message'] : ['message', parametrise(message)]
}

/** Type and stack; without a stack that says anything, type and message. A synthetic type is the SDK's, not the app's. */
function exceptionParts(exception: ExceptionValue): string[] {
  const type = exception.mechanism?.synthetic === true ? '' : (exception.type ?? '')
  const stack = stackParts(exception)
  const value = exception.value ?? ''
  // Without a type it is a message with a stack attached: the place alone would join all messages logged there.
  const needsValue = stack.length === 0 || exception.type === undefined
  if (stack.length === 0 && value === '' && type === '') return []
  return needsValue ? ['exception', type, parametrise(value), ...stack] : ['exception', type, ...stack]
}

/** The template where there is one: its parameters are what differs. */
export function messageOf(event: StoredEvent): string {
  return event.logentry?.message ?? event.logentry?.formatted ?? ''
}
