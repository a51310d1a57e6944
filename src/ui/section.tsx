import type { ReactNode } from 'react'

/** A part of a page: its name, what it is about, what can be done with it. */
export function Section({
  title,
  note,
  actions,
  id,
  children,
}: {
  title: string
  note?: ReactNode
  actions?: ReactNode
  /** Its address within the page. */
  id?: string
  children: ReactNode
}) {
  return (
    <section className="sec" id={id}>
      <header>
        <h2>{title}</h2>
        {note ? <span className="t3">{note}</span> : null}
        {actions ? <div className="r">{actions}</div> : null}
      </header>
      {children}
    </section>
  )
}
