import type { Connection, SnippetSet } from './snippet.ts'

export function reactSnippets({ dsn, publicUrl, organization, project }: Connection): SnippetSet {
  return {
    id: 'react',
    label: 'React',
    lede: 'For apps that run in the browser only. Install @sentry/react first.',
    snippets: [
      {
        id: 'react',
        label: 'Browser',
        code: `// main.tsx, before everything else
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
    // The last of your plugins. It uploads the source maps when the build has a token.
    sentryVitePlugin({
      url: '${publicUrl}',
      org: '${organization}',
      project: '${project}',
      authToken: process.env.SENTRY_AUTH_TOKEN,
    }),
  ],
})`,
        note: 'Install @sentry/vite-plugin. Create a token under Settings → Tokens and set SENTRY_AUTH_TOKEN where the app is built; without it the build uploads nothing.',
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
        note: 'It has to be loaded before the app, so that databases and HTTP clients can be followed.',
      },
    ],
  }
}

/** Nothing to install: proves that key, address and network are right. */
export function curlSnippets({ publicUrl, publicKey, projectId }: Connection): SnippetSet {
  return {
    id: 'curl',
    label: 'curl',
    lede: 'Nothing to install: sends one error by hand.',
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
