import type { Framework } from './framework.ts'

export const nextPages: Framework = {
  id: 'next-pages',
  name: 'Next.js Pages Router',
  sdks: ['sentry.javascript.nextjs'],
  routeSegments: [],
  hasWholeRoutes: true,
  controlFlow: [
    {
      kind: 'not-found',
      why: 'A soft navigation to a page that does not exist renders _error without an error, which the SDK reports in words.',
      matches: ({ value }) => /^_error\.js called with falsy error \((?:undefined|null)\)$/.test(value),
    },
  ],
  redacted: [],
  serverWork: 'a page',
}
