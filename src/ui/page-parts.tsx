import { Check, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

/** A section of a page with title, note and actions. */
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
  /** The anchor of the section. */
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

/** Labels and values. Empty values are left out. */
export function Facts({ facts, isWide = false }: { facts: Fact[]; isWide?: boolean }) {
  return (
    <dl className={isWide ? 'facts wide' : 'facts'}>
      {facts
        .filter(({ value }) => value !== '' && value !== null && value !== undefined)
        .map(({ label, value }, index) => (
          <div key={index}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** One numbered step of an instruction. Done steps show a check mark. */
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

/** Breadcrumb navigation that ends with the current page. */
export function Trail({ stops, here }: { stops: Stop[]; here: string }) {
  return (
    <nav className="trailcrumb" aria-label="Breadcrumb">
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

/** The bar at the top of every page: title or breadcrumb, and actions for the whole page. */
export function TopBar({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <header className="top">
      {children}
      <span className="sp" />
      {actions}
    </header>
  )
}

/** A region that scrolls sideways instead of the page. It needs a name and a tab stop for keyboard users. */
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
