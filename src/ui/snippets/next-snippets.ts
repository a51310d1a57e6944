import type { Connection, SnippetSet } from './snippet.ts'

/** Next.js runs in three places and is built in a fourth, so it gets a file for each. */
export function nextSnippets({ dsn, publicUrl, organization, project }: Connection): SnippetSet {
  return {
    id: 'nextjs',
    label: 'Next.js',
    lede: 'One file for each place the app runs in. Install @sentry/nextjs first.',
    snippets: [
      {
        id: 'client',
        label: 'Client',
        code: `// instrumentation-client.ts
import * as Sentry from '@sentry/nextjs'

Sentry.init({
  dsn: '${dsn}',
  tunnel: '/monitoring', // same origin, so blockers leave it alone
  tracesSampleRate: 1, // lower it once you know your volume
})

export const onRouterTransitionStart = Sentry.captureRouterTransitionStart`,
      },
      {
        id: 'server',
        label: 'Server',
        code: `// sentry.server.config.ts
import * as Sentry from '@sentry/nextjs'

Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1 })

// instrumentation.ts
import * as Sentry from '@sentry/nextjs'

export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') await import('./sentry.server.config')
  if (process.env.NEXT_RUNTIME === 'edge') await import('./sentry.edge.config')
}

export const onRequestError = Sentry.captureRequestError`,
        note: 'Two files; the second one loads the first, and the edge file too.',
      },
      {
        id: 'edge',
        label: 'Edge',
        code: `// sentry.edge.config.ts
import * as Sentry from '@sentry/nextjs'

Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1 })`,
      },
      {
        id: 'build',
        label: 'Build',
        code: `// next.config.ts
import { withSentryConfig } from '@sentry/nextjs/config' // '@sentry/nextjs' before SDK 11
import type { NextConfig } from 'next'

const nextConfig: NextConfig = {
  // The browser's reports go to your own origin and on to Hydrant.
  rewrites: async () => [{ source: '/monitoring', destination: '${publicUrl}/tunnel/' }],
}

// The build uploads its source maps when it has a token.
export default withSentryConfig(nextConfig, {
  sentryUrl: '${publicUrl}',
  org: '${organization}',
  project: '${project}',
  authToken: process.env.SENTRY_AUTH_TOKEN,
})

// proxy.ts (middleware.ts before Next.js 16), only if you have one
export const config = { matcher: '/((?!monitoring|_next/static|_next/image|favicon.ico).*)' }`,
        note: 'Create a token under Settings → Tokens and set SENTRY_AUTH_TOKEN where the app is built; without it the build uploads nothing. The SDK’s own tunnelRoute works for sentry.io addresses only, hence the rewrite. A proxy must leave /monitoring alone, or it redirects reports to a sign-in page.',
      },
    ],
  }
}
