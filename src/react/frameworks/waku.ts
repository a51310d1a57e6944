import { pathOf } from '../path-of.ts'
import type { Framework } from './framework.ts'
import { unknown } from './unknown.ts'

const page = /^\/RSC\/R\/(.+)\.txt$/
const serverFunction = /^\/RSC\/F\/[^/]+\/([^/]+)\.txt$/

/**
 * It has no SDK, and those of React and Node send no routes: pages are known by their paths alone, unless the app names its spans.
 * What React Server Components throw on purpose reaches the browser as error 441 without its digest.
 */
export const waku: Framework = {
  id: 'waku',
  name: 'Waku',
  sdks: [],
  routeSegments: [],
  pagePath: path => {
    const shown = page.exec(path)?.[1]
    if (shown === undefined) return path
    return shown === '_root' ? '/' : `/${shown}`
  },
  functionPath: serverFunction,
  controlFlow: [],
  redacted: [],
  dataRequests: [
    {
      kind: 'rsc',
      why: 'The router asks for the server components of a page as a text file at its path.',
      matches: url => page.test(pathOf(url)),
    },
  ],
  unfetched: unknown.unfetched,
  serverWork: 'a server component',
}
