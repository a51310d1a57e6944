import { pathOf } from '../path-of.ts'
import type { Framework } from './framework.ts'
import { isNoMatch, isRedacted, isThrownOnPurpose, missingFile } from './router-responses.ts'
import { stars } from './stars.ts'

export const reactRouter: Framework = {
  id: 'react-router',
  name: 'React Router',
  sdks: ['sentry.javascript.react-router'],
  routeSegments: stars,
  hasActions: true,
  actionSpan: { op: 'function.react_router.action' },
  namesMissingPages: true,
  pagePath: path => path.replace(/(?:\/_root)?\.data$/, '') || '/',
  // A document is named by the part of the innermost file alone: `/:id` of `/items/:id`.
  wholeRouteOps: new Set(['function.react_router.loader', 'function.react_router.action']),
  spanNames: [
    {
      why: 'A fetcher without a key is named by its id in React.',
      pattern: /^Fetcher _[Rr]_\w+$/,
      spelled: 'Fetcher',
    },
  ],
  controlFlow: [isNoMatch, isThrownOnPurpose],
  redacted: [isRedacted],
  missingFiles: [missingFile],
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
  serverErrorAdvice: 'export handleError from app/entry.server.tsx',
}
