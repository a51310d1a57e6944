'use client'

/** Wrong on purpose: what it draws depends on where it runs. */
export function RenderedBy() {
  return <p>Rendered by the {typeof window === 'undefined' ? 'server' : 'browser'}.</p>
}
