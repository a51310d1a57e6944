import type { ExceptionValue, StoredEvent } from '#protocol/event.ts'
import type { IgnoredNotes, Part } from '../fingerprint.ts'
import { distinctErrors } from './distinct-errors.ts'
import { exceptionParts } from './exception-parts.ts'
import { routePart } from './route-part.ts'

/** An error and its causes together: the same cause inside another failure is another problem. */
export function chainParts(event: StoredEvent, ignored: IgnoredNotes): Part[] {
  const chain = event.exception?.values ?? []
  const [only] = chain
  if (only !== undefined && chain.length === 1) {
    const { parts, needsPlace } = exceptionParts(only, ignored)
    return needsPlace && parts.length > 0 ? [...parts, ...routePart(event)] : parts
  }
  const evidence = new Map(chain.map(exception => [exception, exceptionParts(exception, ignored)] as const))
  const partsOf = (exception: ExceptionValue): Part[] => evidence.get(exception)?.parts ?? []
  const kept = distinctErrors(chain, partsOf, ignored)
  const parts = kept.flatMap(partsOf)
  // What an engine says names a kind of bug, not a bug. Without a place in the code the route tells two of them apart.
  const needsRoute = parts.length > 0 && kept.every(exception => evidence.get(exception)?.needsPlace ?? true)
  return needsRoute ? [...parts, ...routePart(event)] : parts
}
