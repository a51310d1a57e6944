import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { AppKit } from '../framework-app.ts'
import { installShop, shopDir } from '../prepare-shop.ts'
import { linkFiles } from '../snippet-app.ts'

/** With the packages of the example shop. */
export const pagesRouterKit: AppKit = {
  name: 'pages-router',
  dependencies: {},
  async link(folder) {
    await installShop()
    linkFiles(join(shopDir, 'node_modules'), join(folder, 'node_modules'))
    cpSync(join(shopDir, 'tsconfig.json'), join(folder, 'tsconfig.json'))
  },
  build: [['node_modules/next/dist/bin/next', 'build']],
  start: ['node_modules/next/dist/bin/next', 'start'],
  scripts: '.next/static/chunks',
  files: {
    'components/later.tsx': `export default function Later() {
  return <p>A part that is loaded later</p>
}
`,
    'pages/index.tsx': `import Link from 'next/link'
import { lazy, Suspense, useState } from 'react'

const Later = lazy(() => import('../components/later'))

function throwInHandler(): never {
  throw new TypeError('The basket has no total')
}

export default function Home() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <main>
      <Link href="/items/1">Item</Link>
      <Link href="/slow" prefetch={false}>
        Slow
      </Link>
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
    'pages/items/[id].tsx': `import type { GetServerSideProps } from 'next'
import Link from 'next/link'

export const getServerSideProps: GetServerSideProps<{ name: string }> = async ({ params }) => ({
  props: { name: \`Chair \${String(params?.id)}\` },
})

export default function Item({ name }: { name: string }) {
  return (
    <main>
      <h1>{name}</h1>
      <Link href="/">Home</Link>
    </main>
  )
}
`,
    'pages/books/[id].tsx': `import type { GetStaticPaths, GetStaticProps } from 'next'
import { useRouter } from 'next/router'

const tries = new Map<string, number>()

export const getStaticPaths: GetStaticPaths = () => ({ paths: [], fallback: true })

/** Fails twice. The router asks again by itself for a page whose data comes after its shell. */
export const getStaticProps: GetStaticProps<{ id: string }> = ({ params }) => {
  const id = String(params?.id)
  const count = (tries.get(id) ?? 0) + 1
  tries.set(id, count)
  if (count < 3) throw new Error('The book is being bound')
  return { props: { id } }
}

export default function Book({ id }: { id: string }) {
  return <h1>{useRouter().isFallback ? 'Looking for it' : \`Book \${id}\`}</h1>
}
`,
    'pages/shelf.tsx': `import type { GetServerSideProps } from 'next'

export const getServerSideProps: GetServerSideProps = async () => {
  throw new Error('The winter shelf could not be loaded')
}

export default function Shelf() {
  return <p>Shelf</p>
}
`,
    'pages/slow.tsx': `export default function Slow() {
  return <h1>Reached in the end</h1>
}
`,
    'pages/old.tsx': `import type { GetServerSideProps } from 'next'

export const getServerSideProps: GetServerSideProps = async () => ({
  redirect: { destination: '/items/2', permanent: false },
})

export default function Old() {
  return null
}
`,
    'pages/gone.tsx': `import type { GetServerSideProps } from 'next'

export const getServerSideProps: GetServerSideProps = async () => ({ notFound: true })

export default function Gone() {
  return null
}
`,
    'pages/mismatch.tsx': `export default function Mismatch() {
  return <p>{typeof window === 'undefined' ? 'from the server' : 'from the browser'}</p>
}
`,
  },
}
