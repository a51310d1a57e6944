import { type Connection, type SnippetSet, tokenNote } from './snippet.ts'

export function tanstackStartSnippets({ dsn, publicUrl, organization, project }: Connection): SnippetSet {
  return {
    id: 'tanstack-start',
    label: 'TanStack Start',
    lede: 'Install @sentry/tanstackstart-react first.',
    snippets: [
      {
        id: 'client',
        label: 'Client',
        code: `// src/router.tsx
import * as Sentry from '@sentry/tanstackstart-react'
import { createRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { routeTree } from './routeTree.gen'

export function getRouter() {
  const router = createRouter({ routeTree, defaultErrorComponent: ErrorPage })
  if (!router.isServer)
    Sentry.init({
      dsn: '${dsn}',
      integrations: [Sentry.tanstackRouterBrowserTracingIntegration(router)],
      tracesSampleRate: 1, // lower it once you know your volume
    })
  return router
}

function ErrorPage({ error }: ErrorComponentProps) {
  useEffect(() => {
    Sentry.captureException(error)
  }, [error])
  return <h1>Something went wrong</h1>
}`,
        note: 'The router catches what pages and loaders throw, so a page that shows an error has to report it: also each errorComponent of your own.',
      },
      {
        id: 'server',
        label: 'Server',
        code: `// instrument.server.mjs
import * as Sentry from '@sentry/tanstackstart-react'

Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1 })

// src/server.ts
import { wrapFetchWithSentry } from '@sentry/tanstackstart-react'
import handler, { createServerEntry } from '@tanstack/react-start/server-entry'

export default createServerEntry(wrapFetchWithSentry({ fetch: request => handler.fetch(request) }))

// src/start.ts
import { sentryGlobalFunctionMiddleware, sentryGlobalRequestMiddleware } from '@sentry/tanstackstart-react'
import { createStart } from '@tanstack/react-start'

export const startInstance = createStart(() => ({
  requestMiddleware: [sentryGlobalRequestMiddleware],
  functionMiddleware: [sentryGlobalFunctionMiddleware],
}))`,
        note: 'Start the server with node --import ./instrument.server.mjs .output/server/index.mjs.',
      },
      {
        id: 'build',
        label: 'Build',
        code: `// vite.config.ts
import { sentryTanstackStart } from '@sentry/tanstackstart-react/vite'
import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import { nitro } from 'nitro/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    tanstackStart(),
    nitro(),
    react(),
    // Keep it last. It uploads source maps if SENTRY_AUTH_TOKEN is set.
    sentryTanstackStart({
      sentryUrl: '${publicUrl}',
      org: '${organization}',
      project: '${project}',
      authToken: process.env.SENTRY_AUTH_TOKEN,
      tunnelRoute: '/monitoring', // same origin, so ad blockers don't block it
    }),
  ],
})`,
        note: tokenNote,
        needsToken: true,
      },
    ],
  }
}
