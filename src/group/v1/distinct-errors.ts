/** Of an AggregateError's many errors each different one counts once; one that wraps a single different error adds nothing. */
import { numberOf } from '#lib/json-value.ts'
import type { ExceptionValue } from '#protocol/event.ts'
import type { IgnoredNotes, Part } from '../fingerprint.ts'
import { hashParts } from '../hash-parts.ts'

type PartsOf = (exception: ExceptionValue) => Part[]
type Tree = { children: Map<number, ExceptionValue[]>; partsOf: PartsOf; dropped: Set<ExceptionValue> }

export function distinctErrors(chain: ExceptionValue[], partsOf: PartsOf, ignored: IgnoredNotes): ExceptionValue[] {
  if (!chain.some(isGroup)) return chain
  const tree: Tree = { children: childrenOf(chain), partsOf, dropped: new Set() }
  for (const exception of chain) if (isGroup(exception)) reduceGroup(exception, tree, ignored)
  return chain.filter(exception => !tree.dropped.has(exception))
}

const isGroup = ({ mechanism }: ExceptionValue): boolean => mechanism?.is_exception_group === true
const idOf = ({ mechanism }: ExceptionValue): number => numberOf(mechanism?.exception_id) ?? -1

/** A child's id is greater than its parent's, as SDKs count them: whoever claims otherwise would make a circle. */
function childrenOf(chain: ExceptionValue[]): Map<number, ExceptionValue[]> {
  const children = new Map<number, ExceptionValue[]>()
  for (const exception of chain) {
    const parent = numberOf(exception.mechanism?.parent_id)
    if (parent === undefined || parent >= idOf(exception)) continue
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [exception])
    else siblings.push(exception)
  }
  return children
}

function reduceGroup(group: ExceptionValue, tree: Tree, ignored: IgnoredNotes): void {
  const seen = new Set<string>()
  let repeated = 0
  for (const child of tree.children.get(idOf(group)) ?? []) {
    const family = familyOf(child, tree)
    const key = hashParts(family.flatMap(tree.partsOf))
    if (!seen.has(key)) {
      seen.add(key)
      continue
    }
    repeated++
    for (const member of family) tree.dropped.add(member)
  }
  if (repeated > 0)
    ignored?.push({ what: `${repeated} of the errors inside ${nameOf(group)}`, why: 'the same as another one there' })
  if (seen.size !== 1) return
  tree.dropped.add(group)
  ignored?.push({ what: nameOf(group), why: 'it only wraps one error' })
}

/** An error with all that it was caused by. */
function familyOf(exception: ExceptionValue, tree: Tree): ExceptionValue[] {
  const family = [exception]
  for (const member of family)
    family.push(...(tree.children.get(idOf(member)) ?? []).filter(each => !family.includes(each)))
  return family
}

const nameOf = ({ type }: ExceptionValue): string => type ?? 'the group'
