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
  const isSynthetic = exception.mechanism?.synthetic === true
  const type = isSynthetic ? '' : (exception.type ?? '')
  const stack = stackParts(exception)
  const value = exception.value ?? ''
  // A stack that the SDK attached tells where something was reported: the place alone would join all that is reported there.
  // Files without functions or code lines (minified, anonymous) tell as little.
  const needsValue = isSynthetic || exception.type === undefined || !stack.some(part => part.includes('|'))
  if (stack.length === 0 && value === '' && type === '') return []
  return needsValue ? ['exception', type, parametrise(value), ...stack] : ['exception', type, ...stack]
}

/** The template where there is one: its parameters are what differs. */
export function messageOf(event: StoredEvent): string {
  return event.logentry?.message ?? event.logentry?.formatted ?? ''
}
