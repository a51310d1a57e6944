import { formatWhole } from '#lib/format-whole.ts'
import { Link } from '#ui/link.tsx'

export type PageLinks = {
  /** How many issues match, and the place of the first row among them. */
  total: number | null
  position: number
  first: string | null
  previous: string | null
  next: string | null
}

/** Which rows of how many these are, and the way to the others. */
export function ListFoot({ total, position, shown, first, previous, next }: PageLinks & { shown: number }) {
  return (
    <footer className="lfoot">
      <span>{rangeText(total, position, shown)}</span>
      <span className="pages">
        {first && first !== previous ? <Link href={first}>First page</Link> : null}
        {previous ? (
          <Link className="btn s" href={previous} rel="prev">
            Previous page
          </Link>
        ) : null}
        {next ? (
          <Link className="btn s" href={next} rel="next">
            Next page
          </Link>
        ) : null}
      </span>
    </footer>
  )
}

function rangeText(total: number | null, position: number, shown: number): string {
  const count = (value: number) => formatWhole(value)
  if (total === null || (position === 1 && total <= shown)) return `${count(shown)} ${shown === 1 ? 'issue' : 'issues'}`
  return `${count(position)}–${count(position + shown - 1)} of ${count(total)}`
}
