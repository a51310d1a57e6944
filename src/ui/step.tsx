import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

/** One step of a way. Done ones keep their place with a check. */
export function Step({
  number,
  title,
  isDone = false,
  children,
}: {
  number: number | null
  title: string
  isDone?: boolean
  children: ReactNode
}) {
  return (
    <section className="step">
      <span className={isDone ? 'no done' : 'no'} aria-hidden="true">
        {isDone ? <Check className="i i-s" /> : number}
      </span>
      <div>
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  )
}
