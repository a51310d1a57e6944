import type { AppKit } from '../framework-app.ts'

export const reactRouterKit: AppKit = {
  name: 'react-router',
  dependencies: {
    '@react-router/dev': '8.4.0',
    '@react-router/node': '8.4.0',
    '@react-router/serve': '8.4.0',
    '@sentry/react-router': '10.75.2',
    react: '19.3.1',
    'react-dom': '19.3.1',
    'react-router': '8.4.0',
    vite: '8.3.8',
  },
  build: [['node_modules/@react-router/dev/bin.cjs', 'build']],
  start: ['--import', './instrument.server.mjs', 'node_modules/@react-router/serve/bin.cjs', 'build/server/index.js'],
  scripts: 'build/client/assets',
  files: {
    'app/root.tsx': `import { Outlet, Scripts } from 'react-router'

export default function Root() {
  return (
    <html lang="en">
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  )
}
`,
    'app/routes.ts': `import { index, type RouteConfig, route } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('items/:id', 'routes/item.tsx'),
  route('shelf', 'routes/shelf.tsx'),
  route('old', 'routes/old.tsx'),
  route('gone', 'routes/gone.tsx'),
  route('mismatch', 'routes/mismatch.tsx'),
  route('monitoring', 'routes/monitoring.ts'),
] satisfies RouteConfig
`,
    'app/later.tsx': `export default function Later() {
  return <p>A part that is loaded later</p>
}
`,
    'app/routes/home.tsx': `import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'

const Later = lazy(() => import('../later'))

function throwInHandler(): never {
  throw new TypeError('The basket has no total')
}

export default function Home() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <main>
      <Link to="/items/1">Item</Link>
      <Link to="/shelf">Shelf</Link>
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
`,
    'app/routes/item.tsx': `import { Link, useLoaderData } from 'react-router'

export const loader = ({ params }: { params: { id?: string } }) => ({ name: \`Chair \${params.id}\` })

export default function Item() {
  const { name } = useLoaderData<typeof loader>()
  return (
    <main>
      <h1>{name}</h1>
      <Link to="/">Home</Link>
    </main>
  )
}
`,
    'app/routes/shelf.tsx': `export function loader(): never {
  throw new Error('The winter shelf could not be loaded')
}

export default function Shelf() {
  return <p>Shelf</p>
}
`,
    'app/routes/old.tsx': `import { redirect } from 'react-router'

export function loader(): never {
  throw redirect('/items/2')
}
`,
    'app/routes/gone.tsx': `export function loader(): never {
  throw new Response('Not found', { status: 404 })
}

export default function Gone() {
  return <p>Gone</p>
}
`,
    'app/routes/mismatch.tsx': `export default function Mismatch() {
  return <p>{typeof window === 'undefined' ? 'from the server' : 'from the browser'}</p>
}
`,
  },
}
