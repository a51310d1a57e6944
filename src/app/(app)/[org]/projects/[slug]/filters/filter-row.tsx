import type { ReactNode } from 'react'
import type { FilteredExample } from '#queries/list-filtered-examples.ts'
import type { Filter } from '#queries/list-filters.ts'
import { Link } from '#ui/link.tsx'
import { DayBars } from './day-bars.tsx'
import { ExampleList } from './example-list.tsx'
import { choiceOf, filterChoices, labelOf } from './filter-choice.ts'

type Props = {
  filter: Filter
  path: string
  days: number
  /** By day; null when they could not be read. */
  counts: number[] | null
  examples: FilteredExample[]
  mayWrite: boolean
  now: number
  children: ReactNode
}

/** One kind of noise: what is done with it, and how much of it there was. A choice leads to its preview first. */
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
          <span className="t3">The counts could not be read.</span>
        ) : (
          <DayBars counts={counts} days={days} />
        )}
      </div>
      {mayWrite ? (
        <nav className="seg" aria-label={`What to do with ${filter.name}`}>
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
