import { numberOf, textOf } from '#lib/json-value.ts'
import type { ExceptionValue, StoredEvent } from '#protocol/event.ts'
import { routeOf } from '#react/route.ts'
import { hashParts, type IgnoredParts, type Part } from '../fingerprint.ts'
import { isHydrationError, type ParsedMessage, readMessage } from './message.ts'
import { parametrize } from './parametrize.ts'
import { readStack } from './read-stack.ts'
import type { PartsOf, Rules } from './rules.ts'

type Evidence = {
  parts: Part[]
  /** Whether the parts name only a kind of failure, so that the route has to separate bugs. */
  needsRoute: boolean
}

const nothing: Evidence = { parts: [], needsRoute: true }

/** Type and stack; type and message if the stack has no frame that survives a deploy. */
function exceptionParts(exception: ExceptionValue, ignored: IgnoredParts, rules: Rules): Evidence {
  const isSynthetic = exception.mechanism?.synthetic === true
  const parsed = readMessage(exception, rules)
  // If something other than an error was thrown, the SDK has invented the type.
  const type: Part[] = isSynthetic || parsed.type === '' ? [] : [{ kind: 'type', value: parsed.type }]
  if (parsed.identifies === 'all') {
    ignored?.push({
      what: 'stack',
      why: 'this failure is one problem wherever it happens, and some browsers send no stack for it',
    })
    return { parts: [...type, ...messageParts(parsed)], needsRoute: false }
  }
  const stack = readStack(exception.stacktrace?.frames ?? [], ignored, rules)
  if (stack.hasStableFrame && !isSynthetic && exception.type !== undefined) {
    const frames = parsed.isRecursion ? sorted(stack.frames) : stack.frames
    if (rules.countsMessageOfLongLine && stack.endsInLongLine) {
      ignored?.push({ what: 'line of code', why: 'it is too long to be compared, so the message counts' })
      return { parts: [...type, ...messageParts(parsed), ...frames], needsRoute: false }
    }
    ignored?.push({ what: `message “${parsed.text()}”`, why: 'the stack identifies the bug' })
    return { parts: [...type, ...frames], needsRoute: false }
  }
  const message = messageParts(parsed)
  if (type.length + message.length + stack.frames.length === 0) return nothing
  const isOfReact = rules.separatesHydrationByRoute && isHydrationError(parsed) && !stack.isOwn
  const hasFrames = !isOfReact && (stack.hasStableFrame || (stack.frames.length > 0 && !stack.endsMinified))
  const frames = hasFrames ? stack.frames : []
  return { parts: [...type, ...message, ...frames], needsRoute: !hasFrames && parsed.identifies === 'kind' }
}

function messageParts({ text, isFailure }: ParsedMessage): Part[] {
  const value = text()
  return value === '' ? [] : [{ kind: isFailure ? 'failure' : 'message', value }]
}

/** Which function overflows the stack is chance, so the order of a recursion's frames does not count. */
const sorted = (parts: Part[]): Part[] => parts.toSorted((a, b) => (a.value < b.value ? -1 : 1))

/** Hashes an error together with its causes: the same cause inside another error is another bug. */
export function chainParts(event: StoredEvent, ignored: IgnoredParts, rules: Rules): Part[] {
  const chain = event.exception?.values ?? []
  const [only] = chain
  if (only !== undefined && chain.length === 1) {
    const { parts, needsRoute } = exceptionParts(only, ignored, rules)
    return needsRoute && parts.length > 0 ? [...parts, ...routePart(event)] : parts
  }
  const evidence = new Map(chain.map(exception => [exception, exceptionParts(exception, ignored, rules)] as const))
  const partsOf = (exception: ExceptionValue): Part[] => evidence.get(exception)?.parts ?? []
  const kept = rules.distinctErrors(chain, partsOf, ignored)
  const parts = kept.flatMap(partsOf)
  // An engine's message names a kind of bug. Without stable frames, the route separates two bugs of that kind.
  const needsRoute = parts.length > 0 && kept.every(exception => evidence.get(exception)?.needsRoute ?? true)
  return needsRoute ? [...parts, ...routePart(event)] : parts
}

type Tree = { children: Map<number, ExceptionValue[]>; partsOf: PartsOf; dropped: Set<ExceptionValue> }

/** Counts each distinct error of an AggregateError once, and skips a group around a single distinct error. */
export function distinctErrors(chain: ExceptionValue[], partsOf: PartsOf, ignored: IgnoredParts): ExceptionValue[] {
  if (!chain.some(isGroup)) return chain
  const tree: Tree = { children: childrenOf(chain), partsOf, dropped: new Set() }
  for (const exception of chain) if (isGroup(exception)) reduceGroup(exception, tree, ignored)
  return chain.filter(exception => !tree.dropped.has(exception))
}

export const isGroup = ({ mechanism }: ExceptionValue): boolean => mechanism?.is_exception_group === true
export const idOf = ({ mechanism }: ExceptionValue): number => numberOf(mechanism?.exception_id) ?? -1

/** SDKs give children greater ids than their parents. Other ids are ignored, because they could form a cycle. */
export function childrenOf(chain: ExceptionValue[]): Map<number, ExceptionValue[]> {
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
    const family = familyOf(child, tree.children)
    const key = hashParts(family.flatMap(tree.partsOf))
    if (!seen.has(key)) {
      seen.add(key)
      continue
    }
    repeated++
    for (const member of family) tree.dropped.add(member)
  }
  if (repeated > 0)
    ignored?.push({ what: `${repeated} of the errors inside ${nameOf(group)}`, why: 'same as another error in it' })
  if (seen.size !== 1) return
  tree.dropped.add(group)
  ignored?.push({ what: nameOf(group), why: 'it wraps a single error' })
}

/** An error with all its causes. */
export function familyOf(exception: ExceptionValue, children: Tree['children']): ExceptionValue[] {
  const family = [exception]
  for (const member of family) family.push(...(children.get(idOf(member)) ?? []).filter(each => !family.includes(each)))
  return family
}

export const nameOf = ({ type }: ExceptionValue): string => type ?? 'the group'

/** The route in one spelling for server and browser, without ids; none if the event has no route. */
export function routePart(event: StoredEvent): Part[] {
  const raw = textOf(event.contexts.nextjs?.router_path) || (event.transaction ?? '')
  const route = routeOf(raw) || raw
  return route === '' ? [] : [{ kind: 'route', value: parametrize(route) }]
}
