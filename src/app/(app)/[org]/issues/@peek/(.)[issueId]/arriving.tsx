'use client'
import { Fragment, type ReactNode, startTransition, useEffect, useState } from 'react'
import { LoadingLines } from '#ui/loading-lines.tsx'

/**
 * Content that the server sends later. Not Suspense: React holds back what arrives within 300 ms after a fallback, which is longer than
 * the content takes.
 */
export function Arriving({ content }: { content: Promise<ReactNode> }) {
  const [arrived, setArrived] = useState<{ node: ReactNode } | { error: unknown } | null>(null)
  useEffect(() => {
    let isCurrent = true
    const show = (next: { node: ReactNode } | { error: unknown }) => {
      if (isCurrent) startTransition(() => setArrived(next))
    }
    content.then(
      node => show({ node }),
      (error: unknown) => show({ error }),
    )
    return () => {
      isCurrent = false
    }
  }, [content])
  if (arrived === null) return <LoadingLines />
  if ('error' in arrived) throw arrived.error
  // With a key. A part that is still on its way suspends, and if it comes within that moment, React 19.3 repeats a function component
  // without forgetting what it was to remove: lines that stand beside such a part are removed twice, which fails.
  return <Fragment key="arrived">{arrived.node}</Fragment>
}
