import type { ReactNode } from 'react'
import { Link } from './link.tsx'
import { ScrollRegion } from './page-parts.tsx'

export type Column = {
  label: string
  /** Numbers are aligned to the right. */
  isNumber?: boolean
  /** For screen readers only: the cells speak for themselves. */
  isHidden?: boolean
  look?: string
  /** Sorts the list by this column, highest first unless it says otherwise. */
  sort?: { href: string; isOn: boolean; direction?: 'ascending' | 'descending' }
}

export const numeric = (label: string): Column => ({ label, isNumber: true })

type Props = {
  /** Names the table and the region that scrolls sideways. */
  label: string
  columns: readonly (string | Column)[]
  look?: string
  /** The rows. */
  children: ReactNode
}

/** A table of data with column heads. On narrow screens it scrolls instead of the page. */
export function DataTable({ label, columns, look, children }: Props) {
  return (
    <ScrollRegion className="tb-scroll" label={label}>
      <table className={look ? `tb ${look}` : 'tb'}>
        <thead>
          <tr>
            {columns
              .map(column => (typeof column === 'string' ? { label: column } : column))
              .map(column => (
                <Head key={column.label} {...column} />
              ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollRegion>
  )
}

function Head({ label, isNumber, isHidden, look, sort }: Column) {
  const looks = [isNumber ? 'num' : '', look, sort?.isOn ? 'sorted' : ''].filter(Boolean).join(' ')
  return (
    <th
      scope="col"
      className={looks || undefined}
      aria-sort={sort?.isOn ? (sort.direction ?? 'descending') : undefined}
    >
      {sort ? (
        <Link href={sort.href}>
          {label}
          {sort.isOn ? (sort.direction === 'ascending' ? ' ↑' : ' ↓') : ''}
        </Link>
      ) : isHidden ? (
        <span className="sr">{label}</span>
      ) : (
        label
      )}
    </th>
  )
}
