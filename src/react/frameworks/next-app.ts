import { digestOf } from '../server-digest.ts'
import type { Framework } from './framework.ts'

const signal =
  /^(?:Error: )?(?:NEXT_REDIRECT|NEXT_NOT_FOUND|NEXT_HTTP_ERROR_FALLBACK;40[134]|BAILOUT_TO_CLIENT_SIDE_RENDERING)\b/

export const nextApp: Framework = {
  id: 'next-app',
  name: 'Next.js App Router',
  sdks: ['sentry.javascript.nextjs'],
  routeSegments: [],
  hasWholeRoutes: true,
  actionHeader: 'next-action',
  contentRequest: { marks: [{ key: 'next.rsc', value: 'true' }, { key: 'http.request.header.rsc' }] },
  serverMechanism: 'auto.function.nextjs',
  edgeMiddleware: { sdk: /nextjs/, ops: ['middleware', 'middleware.nextjs'] },
  routeContext: ['nextjs', 'router_path'],
  // The tree of a page comes first, and then its parts.
  partialPrefetch: { header: 'next-router-segment-prefetch', counts: /\/_tree/ },
  actionSpan: { origin: 'auto.function.nextjs.server_action' },
  controlFlow: [
    {
      kind: 'signal',
      why: 'redirect(), notFound(), forbidden() and unauthorized() throw an error that an error boundary of the router catches.',
      matches: ({ event, value }) => signal.test(value) || signal.test(digestOf(event)),
    },
  ],
  redacted: [
    {
      why: 'A production build replaces the message of a failed server component or action.',
      matches: value => value.startsWith('An error occurred in the Server Components render'),
    },
  ],
  dataRequests: [
    {
      kind: 'rsc',
      why: 'The router asks for the server components of a page, with a hash of its state in this parameter.',
      matches: url => /[?&]_rsc=/.test(url),
    },
  ],
  unfetched: {
    means: 'prefetched',
    why: 'The router asks for each page that is neither prefetched nor in its cache.',
  },
  repeatsAreRetries: true,
  libraryFiles: [
    {
      why: 'The runtime that loads the other chunks; it has no code of the app.',
      pattern: /[/\\]_next[/\\]static[/\\]chunks[/\\](?:turbopack|webpack)-[\w-]+\.js$/,
    },
  ],
  serverWork: 'a server component or action',
  serverErrorAdvice: 'export onRequestError from instrumentation.ts',
}
