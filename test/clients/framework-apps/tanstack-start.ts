import type { AppKit } from '../framework-app.ts'

export const tanstackStartKit: AppKit = {
  name: 'tanstack-start',
  dependencies: {
    '@sentry/tanstackstart-react': '10.75.2',
    '@tanstack/react-router': '1.170.46',
    '@tanstack/react-start': '1.169.5',
    '@vitejs/plugin-react': '6.3.0',
    nitro: '3.0.260903-beta',
    react: '19.3.1',
    'react-dom': '19.3.1',
    vite: '8.3.8',
  },
  build: [['node_modules/vite/bin/vite.js', 'build']],
  start: ['--import', './instrument.server.mjs', '.output/server/index.mjs'],
  scripts: '.output/public/assets',
  files: {
    'src/routes/__root.tsx': `import { createRootRoute, HeadContent, Outlet, Scripts } from '@tanstack/react-router'

export const Route = createRootRoute({ component: Root, notFoundComponent: () => <p>No such page</p> })

function Root() {
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <Outlet />
        <Scripts />
      </body>
    </html>
  )
}
`,
    'src/later.tsx': `export default function Later() {
  return <p>A part that is loaded later</p>
}
`,
    'src/routes/index.tsx': `import { createFileRoute, Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'

export const Route = createFileRoute('/')({ component: Home })

const Later = lazy(() => import('../later'))

function throwInHandler(): never {
  throw new TypeError('The basket has no total')
}

function Home() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <main>
      <Link to="/items/$id" params={{ id: '1' }}>
        Item
      </Link>
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
    'src/routes/items.$id.tsx': `import { createFileRoute, Link } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'

const readItem = createServerFn({ method: 'GET' })
  .validator((id: string) => id)
  .handler(({ data }) => ({ name: \`Chair \${data}\` }))

export const Route = createFileRoute('/items/$id')({
  loader: ({ params }) => readItem({ data: params.id }),
  component: Item,
})

function Item() {
  const { name } = Route.useLoaderData()
  return (
    <main>
      <h1>{name}</h1>
      <Link to="/">Home</Link>
    </main>
  )
}
`,
    'src/routes/shelf.tsx': `import { createFileRoute } from '@tanstack/react-router'
import { createServerFn } from '@tanstack/react-start'

const loadShelf = createServerFn({ method: 'GET' }).handler((): string => {
  throw new Error('The winter shelf could not be loaded')
})

export const Route = createFileRoute('/shelf')({ loader: () => loadShelf(), component: () => <p>Shelf</p> })
`,
    'src/routes/old.tsx': `import { createFileRoute, redirect } from '@tanstack/react-router'

export const Route = createFileRoute('/old')({
  loader: () => {
    throw redirect({ to: '/items/$id', params: { id: '2' } })
  },
})
`,
    'src/routes/gone.tsx': `import { createFileRoute, notFound } from '@tanstack/react-router'

export const Route = createFileRoute('/gone')({
  loader: () => {
    throw notFound()
  },
})
`,
    'src/routes/mismatch.tsx': `import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/mismatch')({ component: Mismatch })

function Mismatch() {
  return <p>{typeof window === 'undefined' ? 'from the server' : 'from the browser'}</p>
}
`,
  },
}
