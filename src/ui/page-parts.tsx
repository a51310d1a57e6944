import { Check, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

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

type Fact = { label: string; value: ReactNode }

/** Label and value, one line each; what is not known is left out, not drawn as a dash. */
export function Facts({ facts, isWide = false }: { facts: Fact[]; isWide?: boolean }) {
  return (
    <dl className={isWide ? 'facts wide' : 'facts'}>
      {facts
        .filter(({ value }) => value !== '' && value !== null && value !== undefined)
        .map(({ label, value }, index) => (
          <div key={index} className="contents">
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

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

type Stop = { href: string; label: string }

/** The way back up, ending with the page itself. */
export function Trail({ stops, here }: { stops: Stop[]; here: string }) {
  return (
    <nav className="trailcrumb" aria-label="Trail">
      {stops.map(stop => (
        <span key={stop.href} className="trailcrumb">
          <Link href={stop.href}>{stop.label}</Link>
          <ChevronRight className="i i-s" aria-hidden="true" />
        </span>
      ))}
      <b className="cut" aria-current="page">
        {here}
      </b>
    </nav>
  )
}

/** The bar over every page: where one is, and what can be done with the whole page. */
export function TopBar({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <header className="top">
      {children}
      <span className="sp" />
      {actions}
    </header>
  )
}

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
