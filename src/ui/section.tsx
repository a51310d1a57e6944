import type { ReactNode } from 'react'

/** A part of a page: its name, what it is about, what can be done with it. */
export function Section({
  title,
  note,
  actions,
  children,
}: {
  title: string
  note?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <section className="sec">
      <header>
        <h2>{title}</h2>
        {note ? <span className="t3">{note}</span> : null}
        {actions ? <div className="r">{actions}</div> : null}
      </header>
      {children}
    </section>
  )
}
