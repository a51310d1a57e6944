import type { ReactNode } from 'react'
import { Mark } from '#ui/mark.tsx'

/** The frame of the pages before one is inside: the mark, one sentence, one form. */
export function EntryCard({
  title,
  children,
  lede,
  isWide = false,
}: {
  title: string
  lede: string
  children: ReactNode
  isWide?: boolean
}) {
  return (
    <main className="entry">
      <div className={isWide ? 'entry-card wide' : 'entry-card'}>
        <header>
          <Mark size={32} />
          <div>
            <h1>{title}</h1>
            <p>{lede}</p>
          </div>
        </header>
        {children}
      </div>
    </main>
  )
}
