import type { ReactNode } from 'react'
import type { Filter, FilteredExample } from '#domain/filters/filters.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { choiceOf, filterChoices, labelOf } from './filter-choice.ts'

type Props = {
  filter: Filter
  path: string
  days: number
  /** Per day; null if the query failed. */
  counts: number[] | null
  examples: FilteredExample[]
  mayWrite: boolean
  now: number
  children: ReactNode
}

/** One inbound filter: its mode and how much it dropped. Choosing another mode opens a preview first. */
export function FilterRow({ filter, path, days, counts, examples, mayWrite, now, children }: Props) {
  const current = choiceOf(filter)
  return (
    <li id={filter.rule}>
      <div className="what">
        <h3>{filter.name}</h3>
        <p className="t2">{filter.why}</p>
        {examples.length > 0 ? (
          <details>
            <summary>Examples</summary>
            <ExampleList examples={examples} now={now} />
          </details>
        ) : null}
      </div>
      <div className="caught">
        {counts === null ? (
          <span className="t3">Counts could not be loaded.</span>
        ) : (
          <DayBars counts={counts} days={days} />
        )}
      </div>
      {mayWrite ? (
        <nav className="seg" aria-label={`Mode of ${filter.name}`}>
          {filterChoices.map(({ choice, label }) => (
            <Link
              key={choice}
              href={`${path}?rule=${filter.rule}&to=${choice}#${filter.rule}`}
              aria-current={choice === current ? 'true' : undefined}
              scroll={false}
            >
              {label}
            </Link>
          ))}
        </nav>
      ) : (
        <span className="badge">{labelOf(current)}</span>
      )}
      {children}
    </li>
  )
}

/** The latest dropped events. Their text is untrusted. */
function ExampleList({ examples, now }: { examples: FilteredExample[]; now: number }) {
  return (
    <ul className="examples">
      {examples.map(({ eventId, at, title, route, release, browser }) => (
        <li key={eventId}>
          <span className="mono">{shorten(title, 200)}</span>
          <span className="t3">
            <Ago at={at} now={now} />
            {[route, release, browser]
              .filter(text => text !== '')
              .map(text => ` · ${shorten(text, 60)}`)
              .join('')}
          </span>
        </li>
      ))}
    </ul>
  )
}

const height = 28
const unit = 8

/** Dropped events per day, today last. */
function DayBars({ counts, days }: { counts: number[]; days: number }) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return <span className="t3">0 dropped in {days} days</span>
  const max = Math.max(...counts)
  const today = counts.at(-1) ?? 0
  const label = `${formatWhole(total)} dropped in ${days} days, ${formatWhole(today)} of them today`
  return (
    <>
      <svg
        className="bars"
        width={days * unit}
        height={height}
        viewBox={`0 0 ${days * unit} ${height}`}
        role="img"
        aria-label={label}
      >
        {counts.map((count, index) => {
          const tall = count === 0 ? 0 : Math.max(2, (count / max) * (height - 1))
          return <rect key={index} x={index * unit} y={height - tall} width={unit - 2} height={tall} />
        })}
        <rect className="base" x="0" y={height - 0.5} width={days * unit} height=".5" />
      </svg>
      <span>
        <b>{formatCount(total)}</b> <span className="t3">in {days} d</span>
        <br />
        <span className="t3">{formatCount(today)} today</span>
      </span>
    </>
  )
}
