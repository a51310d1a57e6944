import type { Framework } from './framework.ts'
import { stars } from './stars.ts'

/** Of which nothing is known but an SDK that any app may use. */
export const unknown: Framework = {
  id: 'unknown',
  name: 'another framework',
  sdks: [],
  routeSegments: stars,
  controlFlow: [],
  redacted: [],
  dataRequests: [],
  unfetched: { means: 'unknown', why: 'The SDK doesn’t say which requests are those of the router.' },
  serverWork: 'a render on the server',
}
