import { type Connection, type SnippetSet, tokenNote } from './snippet.ts'

/** App Router and Pages Router differ only in the page that shows errors. */
export function nextSnippets({ dsn, publicUrl, organization, project }: Connection): SnippetSet {
  return {
    id: 'nextjs',
    label: 'Next.js',
    lede: 'One file each for browser, server, edge, error pages and build. Install @sentry/nextjs first.',
    snippets: [
      {
        id: 'client',
        label: 'Client',
        code: `// instrumentation-client.ts
import * as Sentry from '@sentry/nextjs'

Sentry.init({
  dsn: '${dsn}',
  tunnel: '/monitoring', // same origin, so ad blockers don't block it
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
        note: 'Two files. The second one loads the first one and the edge file.',
      },
      {
        id: 'edge',
        label: 'Edge',
        code: `// sentry.edge.config.ts
import * as Sentry from '@sentry/nextjs'

Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1 })`,
      },
      {
        id: 'app-router',
        label: 'App Router',
        code: `// app/global-error.tsx
'use client'
import * as Sentry from '@sentry/nextjs'
import { useEffect } from 'react'

export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  useEffect(() => {
    Sentry.captureException(error)
  }, [error])
  return (
    <html lang="en">
      <body>
        <h1>Something went wrong</h1>
      </body>
    </html>
  )
}`,
        note: 'React errors that reach the root layout. The same three lines belong into each error.tsx.',
      },
      {
        id: 'pages-router',
        label: 'Pages Router',
        code: `// pages/_error.tsx
import * as Sentry from '@sentry/nextjs'
import type { NextPageContext } from 'next'
import NextError, { type ErrorProps } from 'next/error'

export default function ErrorPage({ statusCode }: ErrorProps) {
  return <NextError statusCode={statusCode} />
}

ErrorPage.getInitialProps = async (context: NextPageContext) => {
  await Sentry.captureUnderscoreErrorException(context)
  return NextError.getInitialProps(context)
}

// pages/_app.tsx
import * as Sentry from '@sentry/nextjs'
import type { AppProps } from 'next/app'
import Router from 'next/router'

// Files of a page that are gone after a deploy, or take longer than 3.8 seconds. The router then loads the whole page.
Router.events.on('routeChangeError', (error: Error & { cancelled?: boolean }) => {
  if (!error.cancelled) Sentry.captureException(error)
})

export default function App({ Component, pageProps }: AppProps) {
  return <Component {...pageProps} />
}`,
        note: 'Only if the app has a pages folder. The other files are the same. Without the listener in _app.tsx, pages that the router gave up on are not reported.',
      },
      {
        id: 'build',
        label: 'Build',
        code: `// next.config.ts
import { withSentryConfig } from '@sentry/nextjs/config' // '@sentry/nextjs' before SDK 11
import type { NextConfig } from 'next'

const nextConfig: NextConfig = {
  // Forwards browser events from your own origin to Hydrant.
  rewrites: async () => [{ source: '/monitoring', destination: '${publicUrl}/tunnel/' }],
}

// The build uploads source maps if SENTRY_AUTH_TOKEN is set.
export default withSentryConfig(nextConfig, {
  sentryUrl: '${publicUrl}',
  org: '${organization}',
  project: '${project}',
  authToken: process.env.SENTRY_AUTH_TOKEN,
})

// proxy.ts (middleware.ts before Next.js 16), only if you have one
export const config = { matcher: '/((?!monitoring|_next/static|_next/image|favicon.ico).*)' }`,
        note: `${tokenNote} The rewrite replaces the SDK’s tunnelRoute, which only works with sentry.io. If you have a proxy (middleware), exclude /monitoring, or it may redirect events to a sign-in page.`,
        needsToken: true,
      },
    ],
  }
}
