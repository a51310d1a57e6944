import { type Connection, type SnippetSet, tokenNote } from './snippet.ts'

export function astroSnippets({ dsn, publicUrl, organization, project }: Connection): SnippetSet {
  return {
    id: 'astro',
    label: 'Astro',
    lede: 'With React islands. Install @sentry/astro first.',
    snippets: [
      {
        id: 'client',
        label: 'Client',
        code: `// sentry.client.config.js
import * as Sentry from '@sentry/astro'

Sentry.init({
  dsn: '${dsn}',
  tunnel: '/monitoring', // same origin, so ad blockers don't block it
  tracesSampleRate: 1, // lower it once you know your volume
})`,
      },
      {
        id: 'server',
        label: 'Server',
        code: `// sentry.server.config.js
import * as Sentry from '@sentry/astro'

Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1, ignoreSpans: ['POST /monitoring'] })`,
      },
      {
        id: 'tunnel',
        label: 'Tunnel',
        code: `// src/pages/monitoring.ts
import type { APIRoute } from 'astro'

export const prerender = false

export const POST: APIRoute = async ({ request }) =>
  fetch('${publicUrl}/tunnel/', { method: 'POST', body: await request.arrayBuffer() })`,
        note: 'Needs an adapter, such as @astrojs/node. A site without a server has no tunnel: remove the line in the client.',
      },
      {
        id: 'build',
        label: 'Build',
        code: `// astro.config.mjs
import react from '@astrojs/react'
import sentry from '@sentry/astro'
import { defineConfig } from 'astro/config'

export default defineConfig({
  integrations: [
    react(),
    // It uploads source maps if SENTRY_AUTH_TOKEN is set.
    sentry({
      sentryUrl: '${publicUrl}',
      org: '${organization}',
      project: '${project}',
      authToken: process.env.SENTRY_AUTH_TOKEN,
    }),
  ],
})`,
        note: tokenNote,
        needsToken: true,
      },
    ],
  }
}
