import { numberOf, textOf } from '#lib/json-value.ts'
import type { ExceptionValue, StoredEvent } from '#protocol/event.ts'
import { routeOf } from '#react/route.ts'
import { hashParts, type IgnoredParts, type Part } from '../fingerprint.ts'
import { type ParsedMessage, readMessage } from './message.ts'
import { parametrize } from './parametrize.ts'
import { readStack } from './read-stack.ts'

type Evidence = {
  parts: Part[]
  /** Whether the parts tell what happened, but neither in somebody's own words nor where. */
  needsRoute: boolean
}

const nothing: Evidence = { parts: [], needsRoute: true }

/** Type and stack; where the stack does not tell a lasting place, type and message. */
function exceptionParts(exception: ExceptionValue, ignored: IgnoredParts): Evidence {
  const isSynthetic = exception.mechanism?.synthetic === true
  const said = readMessage(exception)
  // The SDK made up the type of what was thrown without being an error.
  const type: Part[] = isSynthetic || said.type === '' ? [] : [{ kind: 'type', value: said.type }]
  if (said.identifies === 'all') {
    ignored?.push({
      what: 'stack',
      why: 'this failure is one problem wherever it happens, and not every browser has a stack for it',
    })
    return { parts: [...type, ...messageParts(said)], needsRoute: false }
  }
  const stack = readStack(exception.stacktrace?.frames ?? [], ignored)
  if (stack.hasStableFrame && !isSynthetic && exception.type !== undefined) {
    ignored?.push({ what: `message “${said.text()}”`, why: 'the stack tells the place' })
    return { parts: [...type, ...(said.isRecursion ? sorted(stack.frames) : stack.frames)], needsRoute: false }
  }
  const message = messageParts(said)
  if (type.length + message.length + stack.frames.length === 0) return nothing
  const isPlaced = stack.hasStableFrame || (stack.frames.length > 0 && !stack.endsMinified)
  const frames = isPlaced ? stack.frames : []
  return { parts: [...type, ...message, ...frames], needsRoute: !isPlaced && said.identifies === 'kind' }
}

function messageParts({ text, isFailure }: ParsedMessage): Part[] {
  const value = text()
  return value === '' ? [] : [{ kind: isFailure ? 'failure' : 'message', value }]
}

/** Where a recursion runs out of stack is chance: the same functions are the same bug. */
const sorted = (parts: Part[]): Part[] => parts.toSorted((a, b) => (a.value < b.value ? -1 : 1))

/** An error and its causes together: the same cause inside another failure is another problem. */
export function chainParts(event: StoredEvent, ignored: IgnoredParts): Part[] {
  const chain = event.exception?.values ?? []
  const [only] = chain
  if (only !== undefined && chain.length === 1) {
    const { parts, needsRoute } = exceptionParts(only, ignored)
    return needsRoute && parts.length > 0 ? [...parts, ...routePart(event)] : parts
  }
  const evidence = new Map(chain.map(exception => [exception, exceptionParts(exception, ignored)] as const))
  const partsOf = (exception: ExceptionValue): Part[] => evidence.get(exception)?.parts ?? []
  const kept = distinctErrors(chain, partsOf, ignored)
  const parts = kept.flatMap(partsOf)
  // What an engine says names a kind of bug, not a bug. Without a place in the code the route tells two of them apart.
  const needsRoute = parts.length > 0 && kept.every(exception => evidence.get(exception)?.needsRoute ?? true)
  return needsRoute ? [...parts, ...routePart(event)] : parts
}

/* Of an AggregateError's many errors each different one counts once; one that wraps a single different error adds nothing. */

type PartsOf = (exception: ExceptionValue) => Part[]
type Tree = { children: Map<number, ExceptionValue[]>; partsOf: PartsOf; dropped: Set<ExceptionValue> }

function distinctErrors(chain: ExceptionValue[], partsOf: PartsOf, ignored: IgnoredParts): ExceptionValue[] {
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

function reduceGroup(group: ExceptionValue, tree: Tree, ignored: IgnoredParts): void {
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

/** The route, however server and browser spell it; ids in it are values, not names. None where the event names no route. */
export function routePart(event: StoredEvent): Part[] {
  const raw = textOf(event.contexts.nextjs?.router_path) || (event.transaction ?? '')
  const route = routeOf(raw) || raw
  return route === '' ? [] : [{ kind: 'route', value: parametrize(route) }]
}
