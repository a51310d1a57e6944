'use client'
import { useRef, useState } from 'react'
import type { SpanDetailsView } from './span-body.tsx'

export type Details =
  | { state: 'loading' }
  | { state: 'failed' }
  | { state: 'missing' }
  | { state: 'here'; view: SpanDetailsView }

/** Attributes are asked for when a span is opened: those of ten thousand would be twenty megabytes. */
export function useSpanDetails(path: string) {
  const [opened, setOpened] = useState<{ id: string; details: Details } | null>(null)
  const wanted = useRef('')

  async function open(id: string): Promise<void> {
    wanted.current = id
    setOpened({ id, details: { state: 'loading' } })
    const details = await read(`${path}/spans/${id}`)
    // Another one may have been opened while this one was on its way.
    if (wanted.current === id) setOpened({ id, details })
  }
  function close(): void {
    wanted.current = ''
    setOpened(null)
  }
  return { opened, open, close }
}

async function read(url: string): Promise<Details> {
  try {
    const response = await fetch(url)
    if (response.status === 404) return { state: 'missing' }
    return response.ok ? { state: 'here', view: await response.json() } : { state: 'failed' }
  } catch {
    return { state: 'failed' }
  }
}
