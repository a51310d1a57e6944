import type { Framework } from './framework.ts'
import { isPageData } from './page-data.ts'

export const nextPages: Framework = {
  id: 'next-pages',
  name: 'Next.js Pages Router',
  sdks: ['sentry.javascript.nextjs'],
  routeSegments: [],
  controlFlow: [
    {
      kind: 'not-found',
      why: 'A soft navigation to a page that does not exist renders _error without an error, which the SDK reports in words.',
      matches: ({ value }) => /^_error\.js called with falsy error \((?:undefined|null)\)$/.test(value),
    },
  ],
  redacted: [],
  dataRequests: [isPageData],
  unfetched: { means: 'prefetched', why: 'The router asks for the props of each page that it has not prefetched.' },
  repeatsAreRetries: true,
  routeLoadError: /^(?:Error: )?Route did not complete loading: (\/\S{0,500})$/,
  serverWork: 'a page',
}
