import type { Framework } from './framework.ts'
import { pathOf } from './page-data.ts'
import { isNoMatch, isRedacted, isThrownOnPurpose } from './router-responses.ts'
import { stars } from './stars.ts'

export const reactRouter: Framework = {
  id: 'react-router',
  name: 'React Router',
  sdks: ['sentry.javascript.react-router'],
  routeSegments: stars,
  controlFlow: [isNoMatch, isThrownOnPurpose],
  redacted: [isRedacted],
  dataRequests: [
    {
      kind: 'data',
      why: 'Loaders and actions of the server answer at the path of the page with this ending; `/__manifest` names routes and no data.',
      matches: url => pathOf(url).endsWith('.data'),
    },
  ],
  unfetched: {
    means: 'nothing',
    why: 'The router asks for the data of each page with a loader on the server, prefetched or not.',
  },
  serverWork: 'a loader, an action or a render',
}
