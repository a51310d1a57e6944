import { matchRoute, type Route } from './route.ts'

/** Shared between requests: read it, never change it. */
export type Address = { route: Route | null; query: URLSearchParams }

/** An SDK posts to one address for its whole life, so the last ones are remembered; longer ones carry data and are not. */
const maxRemembered = 500
const maxRememberedLength = 300

export function createAddressBook(): (url: string | undefined) => Address {
  const known = new Map<string, Address>()
  return (url = '/') => {
    const found = known.get(url)
    if (found !== undefined) return found
    const address = readAddress(url)
    if (url.length <= maxRememberedLength) {
      // Forgetting all at once is crude, but costs nothing on the way and a flood of addresses gains nothing by it.
      if (known.size >= maxRemembered) known.clear()
      known.set(url, address)
    }
    return address
  }
}

function readAddress(url: string): Address {
  const mark = url.indexOf('?')
  if (mark === -1) return { route: matchRoute(url), query: new URLSearchParams() }
  return { route: matchRoute(url.slice(0, mark)), query: new URLSearchParams(url.slice(mark + 1)) }
}
