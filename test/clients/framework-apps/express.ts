import type { AppKit } from '../framework-app.ts'

export const expressKit: AppKit = {
  name: 'express',
  dependencies: {
    '@sentry/node': '11.8.0',
    '@sentry/react': '11.8.0',
    '@sentry/vite-plugin': '5.4.1',
    '@vitejs/plugin-react': '6.3.0',
    express: '5.2.1',
    react: '19.3.1',
    'react-dom': '19.3.1',
    'react-router': '8.4.0',
    vite: '8.3.8',
  },
  build: [
    ['node_modules/vite/bin/vite.js', 'build', '--outDir', 'dist/client'],
    ['node_modules/vite/bin/vite.js', 'build', '--ssr', 'src/entry-server.tsx', '--outDir', 'dist/server'],
  ],
  start: ['--import', './instrument.mjs', 'server.mjs'],
  scripts: 'dist/client/assets',
  files: {
    'index.html': `<!doctype html>
<html lang="en">
  <head><title>Shop</title></head>
  <body><div id="root"><!--app--></div><script type="module" src="/src/entry-client.tsx"></script></body>
</html>
`,
    'src/later.tsx': `export default function Later() {
  return <p>A part that is loaded later</p>
}
`,
    'src/app.tsx': `import { lazy, Suspense, useState } from 'react'
import { Link, Navigate, Route, useParams } from 'react-router'
import { SentryRoutes } from './sentry-routes'

const Later = lazy(() => import('./later'))

export const App = () => (
  <SentryRoutes>
    <Route path="/" element={<Home />} />
    <Route path="/items/:id" element={<Item />} />
    <Route path="/shelf" element={<Waiting />} />
    <Route path="/old" element={<Navigate to="/items/2" replace />} />
    <Route path="/mismatch" element={<Mismatch />} />
    <Route path="*" element={<p>No such page</p>} />
  </SentryRoutes>
)

function throwInHandler(): never {
  throw new TypeError('The basket has no total')
}

function Home() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <main>
      <Link to="/items/1">Item</Link>
      <button type="button" onClick={throwInHandler}>
        Throw
      </button>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <Suspense>{isOpen ? <Later /> : null}</Suspense>
    </main>
  )
}

function Item() {
  return (
    <main>
      <h1>Chair {useParams().id}</h1>
      <Link to="/">Home</Link>
    </main>
  )
}

const Waiting = () => (
  <Suspense fallback={<p>Loading</p>}>
    <Shelf />
  </Suspense>
)

function Shelf() {
  if (typeof window === 'undefined') throw new Error('The winter shelf could not be loaded')
  return <p>Shelf</p>
}

const Mismatch = () => <p>{typeof window === 'undefined' ? 'from the server' : 'from the browser'}</p>
`,
  },
}
