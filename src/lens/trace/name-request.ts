/** SDKs name an outgoing request by its host alone, `GET localhost`: a page that sends twelve has twelve rows that read the same. */
export type OutgoingRequest = { name: string; method: string; url: string }

/**
 * Method and path, with the host where it is not the app's own. Null where the span has a better name already, or where its address is
 * not known. Without the query: it holds values, and it is in the span's details.
 */
export function nameRequest({ name, method, url }: OutgoingRequest, ownHost: string): string | null {
  const address = splitAddress(url)
  const [verb = '', ...rest] = name.split(' ')
  // `GET /items/{id}` is a template, and says more than one address.
  if (address === null || rest.join(' ').startsWith('/')) return null
  const shownVerb = method || (/^[A-Z]{3,8}$/.test(verb) ? verb : '')
  const shown = address.host === ownHost ? address.path : `${address.host}${address.path}`
  return shownVerb === '' ? shown : `${shownVerb} ${shown}`
}

/** The host that needs no mention: the page's or the request's that the trace began with, else the only one that is asked. */
export function findOwnHost(segmentUrls: readonly string[], requestUrls: readonly string[]): string {
  const began = segmentUrls.map(url => splitAddress(url)?.host).find(host => host !== undefined)
  if (began !== undefined) return began
  const [only, ...others] = new Set(requestUrls.flatMap(url => splitAddress(url)?.host ?? []))
  return others.length === 0 ? (only ?? '') : ''
}

/** Null where it is no absolute address. */
function splitAddress(url: string): { host: string; path: string } | null {
  const found = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]+)([^?#]*)/i.exec(url)
  return found ? { host: (found[1] ?? '').toLowerCase(), path: found[2] || '/' } : null
}
