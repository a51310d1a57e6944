import { type Connection, type SnippetSet, tokenNote } from './snippet.ts'

export function reactRouterSnippets({ dsn, publicUrl, organization, project }: Connection): SnippetSet {
  return {
    id: 'react-router',
    label: 'React Router',
    lede: 'React Router 7 and 8 in framework mode. Install @sentry/react-router first, and run npx react-router reveal for the two entry files. In other modes, use React.',
    snippets: [
      {
        id: 'client',
        label: 'Client',
        code: `// app/entry.client.tsx
import * as Sentry from '@sentry/react-router'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

Sentry.init({
  dsn: '${dsn}',
  tunnel: '/monitoring', // same origin, so ad blockers don't block it
  integrations: [Sentry.reactRouterTracingIntegration()],
  tracesSampleRate: 1, // lower it once you know your volume
})

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter instrumentations={[Sentry.createSentryClientInstrumentation()]} onError={Sentry.sentryOnError} />
    </StrictMode>,
  )
})`,
      },
      {
        id: 'server',
        label: 'Server',
        code: `// instrument.server.mjs
import * as Sentry from '@sentry/react-router'

Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1, ignoreSpans: ['POST /monitoring'] })

// app/entry.server.tsx
import { createReadableStreamFromReadable } from '@react-router/node'
import * as Sentry from '@sentry/react-router'
import { renderToPipeableStream } from 'react-dom/server'
import { ServerRouter } from 'react-router'

export default Sentry.createSentryHandleRequest({
  ServerRouter,
  renderToPipeableStream,
  createReadableStreamFromReadable,
})
export const handleError = Sentry.createSentryHandleError({ logErrors: true })
export const instrumentations = [Sentry.createSentryServerInstrumentation()]`,
        note: "Start the server with NODE_OPTIONS='--import ./instrument.server.mjs' react-router-serve build/server/index.js.",
      },
      {
        id: 'tunnel',
        label: 'Tunnel',
        code: `// app/routes/monitoring.ts
import type { ActionFunctionArgs } from 'react-router'

export const action = async ({ request }: ActionFunctionArgs) =>
  fetch('${publicUrl}/tunnel/', { method: 'POST', body: await request.arrayBuffer() })`,
        note: "Without file routes, add route('monitoring', 'routes/monitoring.ts') to app/routes.ts.",
      },
      {
        id: 'build',
        label: 'Build',
        code: `// vite.config.ts
import { reactRouter } from '@react-router/dev/vite'
import { type SentryReactRouterBuildOptions, sentryReactRouter } from '@sentry/react-router'
import { defineConfig } from 'vite'

const sentryConfig: SentryReactRouterBuildOptions = {
  org: '${organization}',
  project: '${project}',
  authToken: process.env.SENTRY_AUTH_TOKEN,
  unstable_sentryVitePluginOptions: { url: '${publicUrl}' },
}

export default defineConfig(env => {
  const config = { plugins: [reactRouter(), sentryReactRouter(sentryConfig, env)], sentryConfig }
  return config
})

// react-router.config.ts
import type { Config } from '@react-router/dev/config'
import { sentryOnBuildEnd } from '@sentry/react-router'

export default { ssr: true, buildEnd: sentryOnBuildEnd } satisfies Config`,
        note: tokenNote,
        needsToken: true,
      },
    ],
  }
}
