'use client'
import { useRef, useState } from 'react'
import type { SpanDetailsView } from './span-body.tsx'

export type Details =
  | { state: 'loading' }
  | { state: 'failed' }
  | { state: 'missing' }
  | { state: 'loaded'; view: SpanDetailsView }

/** Loads the attributes when a span is opened: those of ten thousand spans would be twenty megabytes. */
export function useSpanDetails(path: string) {
  const [opened, setOpened] = useState<{ id: string; details: Details } | null>(null)
  const wanted = useRef('')

  /** With a delay for spans that a held key passes by. Gives whether the span was still wanted after it. */
  async function open(id: string, afterMs = 0): Promise<boolean> {
    wanted.current = id
    setOpened({ id, details: { state: 'loading' } })
    if (afterMs > 0) await new Promise(done => setTimeout(done, afterMs))
    if (wanted.current !== id) return false
    void load(id)
    return true
  }
  async function load(id: string): Promise<void> {
    const details = await read(`${path}/spans/${id}`)
    // Another span may have been opened in the meantime.
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
    return response.ok ? { state: 'loaded', view: await response.json() } : { state: 'failed' }
  } catch {
    return { state: 'failed' }
  }
}
