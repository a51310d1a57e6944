import { notFound } from 'next/navigation'
import { Clock } from './clock.tsx'
import { Shelf } from './shelf.tsx'

export default async function MismatchPage({ params }: PageProps<'/mismatch/[kind]'>) {
  const { kind } = await params
  if (kind !== 'clock' && kind !== 'nesting') notFound()
  return (
    <>
      <h1>Mismatch</h1>
      {kind === 'clock' ? <Clock /> : <Shelf />}
    </>
  )
}
