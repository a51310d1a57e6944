import { connection } from 'next/server'

/** An optional catch-all: the shelf itself and every place on it. */
export default async function ShelfPage({ params }: { params: Promise<{ path?: string[] }> }) {
  await connection()
  const { path = [] } = await params
  return <h1>Shelf{path.length > 0 ? `: ${path.join(' / ')}` : ''}</h1>
}
