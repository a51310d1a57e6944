import type { Framework } from './framework.ts'

/** Its SDK reads the route of each page on the server and hands it to the browser in the document. */
export const astro: Framework = {
  id: 'astro',
  name: 'Astro',
  sdks: ['sentry.javascript.astro'],
  routeSegments: [],
  hasWholeRoutes: true,
  functionPath: /^\/_actions\/([^/]+)/,
  controlFlow: [],
  redacted: [],
  dataRequests: [],
  unfetched: { means: 'nothing', why: 'Each page is a document, so there is nothing else to fetch.' },
  serverWork: 'a page or an action',
}
