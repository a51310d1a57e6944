import type { Connection, SnippetSet } from './snippet.ts'

export function reactSnippets({ dsn, publicUrl, organization, project }: Connection): SnippetSet {
  return {
    id: 'react',
    label: 'React',
    lede: 'For apps that only run in the browser. Install @sentry/react first.',
    snippets: [
      {
        id: 'react',
        label: 'Browser',
        code: `// main.tsx, before all other code
import * as Sentry from '@sentry/react'
import { createRoot } from 'react-dom/client'
import { App } from './app'

Sentry.init({ dsn: '${dsn}', integrations: [Sentry.browserTracingIntegration()], tracesSampleRate: 1 })

createRoot(document.getElementById('root')!, {
  onUncaughtError: Sentry.reactErrorHandler(),
  onCaughtError: Sentry.reactErrorHandler(),
  onRecoverableError: Sentry.reactErrorHandler(),
}).render(<App />)`,
      },
      {
        id: 'vite',
        label: 'Build',
        code: `// vite.config.ts
import { sentryVitePlugin } from '@sentry/vite-plugin'
import { defineConfig } from 'vite'

export default defineConfig({
  build: { sourcemap: 'hidden' },
  plugins: [
    // Keep it last. It uploads source maps if SENTRY_AUTH_TOKEN is set.
    sentryVitePlugin({
      url: '${publicUrl}',
      org: '${organization}',
      project: '${project}',
      authToken: process.env.SENTRY_AUTH_TOKEN,
    }),
  ],
})`,
        note: 'Install @sentry/vite-plugin. Create a token under Settings → Tokens and set SENTRY_AUTH_TOKEN where the app is built. Without it, the build uploads no source maps.',
      },
    ],
  }
}

export function nodeSnippets({ dsn }: Connection): SnippetSet {
  return {
    id: 'node',
    label: 'Node',
    lede: 'Any Node server. Install @sentry/node first.',
    snippets: [
      {
        id: 'node',
        label: 'Node',
        code: `// instrument.mjs: start the app with node --import ./instrument.mjs server.mjs
import * as Sentry from '@sentry/node'

Sentry.init({ dsn: '${dsn}', tracesSampleRate: 1 })`,
        note: 'Load it before the app, so that the SDK can instrument databases and HTTP clients.',
      },
    ],
  }
}

/** Tests key, URL and network without an SDK. */
export function curlSnippets({ publicUrl, publicKey, projectId }: Connection): SnippetSet {
  return {
    id: 'curl',
    label: 'curl',
    lede: 'Nothing to install. Sends one test error.',
    snippets: [
      {
        id: 'curl',
        label: 'curl',
        code: `curl ${publicUrl}/api/${projectId}/store/ \\
  -H 'Content-Type: application/json' \\
  -H 'X-Sentry-Auth: Sentry sentry_version=7, sentry_key=${publicKey}' \\
  -d '{"level":"error","exception":{"values":[{"type":"Error","value":"Hello from curl"}]}}'`,
      },
    ],
  }
}
