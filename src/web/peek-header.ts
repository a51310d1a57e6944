import type { IncomingMessage } from 'node:http'
import { setCacheBustingSearchParam } from 'next/dist/client/components/router-reducer/set-cache-busting-search-param.js'
import { jsonOf } from '#lib/json-value.ts'
import { decodePart } from '#lib/text.ts'

/**
 * Next opens an issue as a peek wherever the router is below the list of issues (`next-url`). Only beside the list itself there is room
 * for one: from the page of an issue, another issue opens as a page.
 *
 * `_rsc` is a hash of the router's headers. Next redirects a request whose hash is wrong, and its router would then send the same
 * request 21 times before it takes the answer.
 */
export async function openIssuesAsPages(request: Pick<IncomingMessage, 'headers' | 'url'>): Promise<void> {
  const { headers } = request
  const tree = headers['next-router-state-tree']
  if (headers['next-url'] === undefined || typeof tree !== 'string' || !isOnIssuePage(jsonOf(decodePart(tree)))) return
  delete headers['next-url']
  const [path = '', query] = (request.url ?? '').split(/\?(.*)/s)
  if (query === undefined || !/(^|&)_rsc=/.test(query)) return
  const url = new URL(`http://localhost/?${query}`)
  await setCacheBustingSearchParam(url, headers as Parameters<typeof setCacheBustingSearchParam>[1])
  request.url = path + url.search
}

/** The router's tree: a segment, and the trees of its slots. A peek is in a slot of its own, beside the list in `children`. */
function isOnIssuePage(tree: unknown): boolean {
  if (!Array.isArray(tree)) return false
  const [segment, slots] = tree as unknown[]
  if (Array.isArray(segment) && segment[0] === 'issueId') return true
  return typeof slots === 'object' && slots !== null && 'children' in slots && isOnIssuePage(slots.children)
}
