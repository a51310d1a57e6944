import { type Connection, type SnippetSet, tokenNote } from './snippet.ts'
import { viteUpload } from './vite-upload.ts'

/** Express, and other servers that render React. */
export function serverSnippets(connection: Connection): SnippetSet {
  const { dsn, publicUrl } = connection
  return {
    id: 'server-rendering',
    label: 'Express',
    lede: 'Your own server that renders React. Fastify and Hono work alike. Install @sentry/react and @sentry/node first.',
    snippets: [
      {
        id: 'client',
        label: 'Client',
        code: `// src/entry-client.tsx
import * as Sentry from '@sentry/react'
import { hydrateRoot } from 'react-dom/client'
import { App } from './app'

Sentry.init({
  dsn: '${dsn}',
  tunnel: '/monitoring', // same origin, so ad blockers don't block it
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1, // lower it once you know your volume
})

const root = document.getElementById('root')
if (root)
  hydrateRoot(root, <App url={location.pathname} />, {
    onUncaughtError: Sentry.reactErrorHandler(),
    onCaughtError: Sentry.reactErrorHandler(),
    onRecoverableError: Sentry.reactErrorHandler(),
  })`,
        note: 'For an app without a router. With one, Hydrant needs its patterns, or each URL is a page of its own.',
      },
      {
        id: 'router',
        label: 'Client with React Router',
        code: `// src/sentry-routes.ts
import { withSentryReactRouterV7Routing } from '@sentry/react'
import { Routes } from 'react-router'

export const SentryRoutes = withSentryReactRouterV7Routing(Routes)

// src/entry-client.tsx
import * as Sentry from '@sentry/react'
import { useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { BrowserRouter, createRoutesFromChildren, matchRoutes, useLocation, useNavigationType } from 'react-router'
import { App } from './app'

Sentry.init({
  dsn: '${dsn}',
  tunnel: '/monitoring', // same origin, so ad blockers don't block it
  integrations: [
    Sentry.reactRouterV7BrowserTracingIntegration({
      useEffect,
      useLocation,
      useNavigationType,
      createRoutesFromChildren,
      matchRoutes,
    }),
  ],
  tracesSampleRate: 1, // lower it once you know your volume
})

const root = document.getElementById('root')
if (root)
  hydrateRoot(
    root,
    <BrowserRouter>
      <App />
    </BrowserRouter>,
    {
      onUncaughtError: Sentry.reactErrorHandler(),
      onCaughtError: Sentry.reactErrorHandler(),
      onRecoverableError: Sentry.reactErrorHandler(),
    },
  )

// src/entry-server.tsx
import { type RenderToPipeableStreamOptions, renderToPipeableStream } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { App } from './app'

export const render = (url: string, options: RenderToPipeableStreamOptions) =>
  renderToPipeableStream(
    <StaticRouter location={url}>
      <App />
    </StaticRouter>,
    options,
  )`,
        note: 'React Router 7 and 8 without its framework. In the app, use SentryRoutes instead of Routes.',
      },
      {
        id: 'server',
        label: 'Server',
        code: `// instrument.mjs: start the server with node --import ./instrument.mjs server.mjs
import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: '${dsn}',
  tracesSampleRate: 1,
  ignoreSpans: [{ attributes: { 'url.path': '/monitoring' } }], // before SDK 11: ['POST /monitoring']
})

// server.mjs
import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import * as Sentry from '@sentry/node'
import express from 'express'
import { render } from './dist/server/entry-server.js' // calls renderToPipeableStream

const [before, after] = readFileSync('dist/client/index.html', 'utf8').split('<!--app-->')
const app = express()
app.use('/assets', express.static('dist/client/assets', { fallthrough: false })) // a missing file is a 404

app.post('/monitoring', express.raw({ type: () => true, limit: '20mb' }), async (request, response) => {
  const answer = await fetch('${publicUrl}/tunnel/', { method: 'POST', body: request.body })
  response.status(answer.status).end()
})

app.get('/{*path}', (request, response) => {
  const { pipe } = render(request.url, {
    onShellReady() {
      // The meta tags make one trace of the request and the page.
      response.type('html').write(before.replace('</head>', \`\${Sentry.getTraceMetaTags()}</head>\`))
      const body = new PassThrough().on('end', () => response.end(after))
      body.pipe(response, { end: false })
      pipe(body)
    },
    onShellError: () => response.status(500).send('Something went wrong'),
    onError: error => Sentry.captureException(error),
  })
})

Sentry.setupExpressErrorHandler(app) // after all routes
app.listen(Number(process.env.PORT ?? 3000))`,
        note: 'The server replaces <!--app--> in index.html, where the element is <div id="root"><!--app--></div>. Load instrument.mjs before the app, so that the SDK can instrument Express, databases and HTTP clients.',
      },
      {
        id: 'build',
        label: 'Build',
        code: `// vite.config.ts
import { sentryVitePlugin } from '@sentry/vite-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  build: { sourcemap: 'hidden' },
  plugins: [
    react(),
${viteUpload(connection)}
  ],
})`,
        note: `Install @sentry/vite-plugin. Build with vite build --outDir dist/client and vite build --ssr src/entry-server.tsx --outDir dist/server; both upload. ${tokenNote}`,
        needsToken: true,
      },
    ],
  }
}
