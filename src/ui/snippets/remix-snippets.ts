import { type Connection, type SnippetSet, tokenNote } from './snippet.ts'
import { viteUpload } from './vite-upload.ts'

export function remixSnippets(connection: Connection): SnippetSet {
  const { dsn, publicUrl } = connection
  return {
    id: 'remix',
    label: 'Remix',
    lede: 'Remix 2. Install @sentry/remix first, and run npx remix reveal for the two entry files.',
    snippets: [
      {
        id: 'client',
        label: 'Client',
        code: `// app/entry.client.tsx
import { RemixBrowser, useLocation, useMatches } from '@remix-run/react'
import * as Sentry from '@sentry/remix'
import { StrictMode, startTransition, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'

Sentry.init({
  dsn: '${dsn}',
  tunnel: '/monitoring', // same origin, so ad blockers don't block it
  integrations: [Sentry.browserTracingIntegration({ useEffect, useLocation, useMatches })],
  tracesSampleRate: 1, // lower it once you know your volume
})

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  )
})

// app/root.tsx: wrap the component that it exports, and report what the error page shows
import { Outlet, useRouteError } from '@remix-run/react'
import { captureRemixErrorBoundaryError, withSentry } from '@sentry/remix'

function App() {
  return <Outlet />
}
export default withSentry(App)

export function ErrorBoundary() {
  captureRemixErrorBoundaryError(useRouteError())
  return <h1>Something went wrong</h1>
}`,
      },
      {
        id: 'server',
        label: 'Server',
        code: `// instrument.server.mjs
import * as Sentry from '@sentry/remix'

Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1, ignoreSpans: ['/monitoring', 'POST monitoring'] })

// app/entry.server.tsx: add this
import { sentryHandleError } from '@sentry/remix'

export const handleError = sentryHandleError`,
        note: "Start the server with NODE_OPTIONS='--import ./instrument.server.mjs' remix-serve build/server/index.js.",
      },
      {
        id: 'tunnel',
        label: 'Tunnel',
        code: `// app/routes/monitoring.ts
import type { ActionFunctionArgs } from '@remix-run/node'

export const action = async ({ request }: ActionFunctionArgs) =>
  fetch('${publicUrl}/tunnel/', { method: 'POST', body: await request.arrayBuffer() })`,
      },
      {
        id: 'build',
        label: 'Build',
        code: `// vite.config.ts
import { vitePlugin as remix } from '@remix-run/dev'
import { sentryRemixVitePlugin } from '@sentry/remix'
import { sentryVitePlugin } from '@sentry/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({
  build: { sourcemap: 'hidden' },
  plugins: [
    remix(),
    sentryRemixVitePlugin(), // the patterns of routes, for the browser
${viteUpload(connection)}
  ],
})`,
        note: `Install @sentry/vite-plugin. ${tokenNote}`,
        needsToken: true,
      },
    ],
  }
}
