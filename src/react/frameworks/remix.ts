import type { Framework } from './framework.ts'
import { isNoMatch, isRedacted, isThrownOnPurpose, missingFile } from './router-responses.ts'
import { stars } from './stars.ts'

export const remix: Framework = {
  id: 'remix',
  name: 'Remix',
  sdks: ['sentry.javascript.remix'],
  routeSegments: stars,
  hasActions: true,
  actionSpan: { op: 'action.remix', name: /^(\w+) /, fileKey: 'match.route.id' },
  hasBareRoutes: true,
  controlFlow: [
    isNoMatch,
    isThrownOnPurpose,
    {
      kind: 'signal',
      why: 'SDKs before version 8 report a thrown response by the name of its class.',
      matches: ({ type, value }) => ['Redirect', 'NotFound'].includes(type) && value.length < 200,
    },
  ],
  redacted: [isRedacted],
  missingFiles: [missingFile],
  dataRequests: [
    {
      kind: 'data',
      why: 'Loaders and actions answer at the path of the page, with the id of their route in this parameter.',
      matches: url => /[?&]_data=/.test(url),
    },
  ],
  unfetched: {
    means: 'unknown',
    why: 'The SDK of Remix begins a navigation after its data was fetched, so the request is in the trace of the page before.',
  },
  serverWork: 'a loader, an action or a render',
  serverErrorAdvice: 'export handleError from app/entry.server.tsx',
}
