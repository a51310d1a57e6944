import { type Connection, type SnippetSet, tokenNote } from './snippet.ts'
import { viteUpload } from './vite-upload.ts'

export function reactSnippets(connection: Connection): SnippetSet {
  const { dsn } = connection
  return {
    id: 'react',
    label: 'React',
    lede: 'Apps that only run in the browser. With a server that renders them, use the tab of its framework, or Express. Install @sentry/react first.',
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
${viteUpload(connection)}
  ],
})`,
        note: `Install @sentry/vite-plugin. ${tokenNote}`,
        needsToken: true,
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
        note: 'Load it before the app, so that the SDK can instrument databases and HTTP clients. With Express, call Sentry.setupExpressErrorHandler(app) after all routes; with Fastify, Sentry.setupFastifyErrorHandler(app) before them.',
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
