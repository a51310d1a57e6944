import type { ReactNode } from 'react'

/** What is wider than its place scrolls inside it, never the page. Such a region must be named and reachable by keyboard. */
export function ScrollRegion({
  label,
  className,
  children,
}: {
  label: string
  className: string
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a tab stop, arrow keys could not scroll it
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  )
}
