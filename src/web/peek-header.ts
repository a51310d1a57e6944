import type { IncomingHttpHeaders } from 'node:http'
import { jsonOf } from '#lib/json-value.ts'
import { decodePart } from '#lib/text.ts'

/**
 * Next opens an issue as a peek wherever the router is below the list of issues (`next-url`). Only beside the list itself there is room
 * for one: from the page of an issue, another issue opens as a page.
 */
export function openIssuesAsPages(headers: IncomingHttpHeaders): void {
  const tree = headers['next-router-state-tree']
  if (typeof tree === 'string' && isOnIssuePage(jsonOf(decodePart(tree)))) delete headers['next-url']
}

/** The router's tree: a segment, and the trees of its slots. A peek is in a slot of its own, beside the list in `children`. */
function isOnIssuePage(tree: unknown): boolean {
  if (!Array.isArray(tree)) return false
  const [segment, slots] = tree as unknown[]
  if (Array.isArray(segment) && segment[0] === 'issueId') return true
  return typeof slots === 'object' && slots !== null && 'children' in slots && isOnIssuePage(slots.children)
}
