import type { ExceptionValue } from '#protocol/event.ts'
import { hashParts, type IgnoredParts } from '../fingerprint.ts'
import { childrenOf, familyOf, idOf, isGroup, nameOf } from '../v1/exception-parts.ts'
import type { PartsOf } from '../v1/rules.ts'

type Children = Map<number, ExceptionValue[]>

/**
 * The errors of a chain that count. A group of errors counts each different one once, however many groups it is nested in, and
 * not at all around a single one: `AggregateException` of .NET wraps itself.
 */
export function distinctErrors(chain: ExceptionValue[], partsOf: PartsOf, ignored: IgnoredParts): ExceptionValue[] {
  if (!chain.some(isGroup)) return chain
  const children = childrenOf(chain)
  const dropped = new Set<ExceptionValue>()
  // Children have greater ids than their parents, so this starts with the innermost group.
  for (const group of chain.filter(isGroup).toSorted((a, b) => idOf(b) - idOf(a))) {
    const seen = new Set<string>()
    for (const error of errorsIn(group, children, dropped, ignored)) {
      const family = familyOf(error, children).filter(member => !dropped.has(member))
      const key = hashParts(family.flatMap(partsOf))
      if (!seen.has(key)) {
        seen.add(key)
        continue
      }
      for (const member of family) dropped.add(member)
      ignored?.push({ what: `an error inside ${nameOf(group)}`, why: 'same as another error in it' })
    }
    if (seen.size !== 1) continue
    dropped.add(group)
    ignored?.push({ what: nameOf(group), why: 'it wraps a single error' })
  }
  return chain.filter(exception => !dropped.has(exception))
}

/** The errors in a group. Groups in it are dropped, and their errors take their place. */
function errorsIn(
  group: ExceptionValue,
  children: Children,
  dropped: Set<ExceptionValue>,
  ignored: IgnoredParts,
): ExceptionValue[] {
  const errors: ExceptionValue[] = []
  const left = [...(children.get(idOf(group)) ?? [])]
  for (const child of left) {
    if (!isGroup(child)) {
      if (!dropped.has(child)) errors.push(child)
      continue
    }
    if (!dropped.has(child)) ignored?.push({ what: nameOf(child), why: 'a group inside another group' })
    dropped.add(child)
    left.push(...(children.get(idOf(child)) ?? []).filter(each => !left.includes(each)))
  }
  return errors
}
