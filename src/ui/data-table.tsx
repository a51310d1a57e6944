import type { ReactNode } from 'react'
import styles from './data-table.module.css'
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

/** The roles of rows and cells of a table that is stacked. */
export const stacked = { row: { role: 'row' }, cell: { role: 'cell' } } as const

type Props = {
  /** Names the table and the region that scrolls sideways. */
  label: string
  columns: readonly (string | Column)[]
  look?: string
  /** Rows become blocks on a phone. Without `display: table` browsers forget what is a table, so its roles are named. */
  isStacked?: boolean
  /** The rows. */
  children: ReactNode
}

/** A table of data with column heads. On narrow screens it scrolls instead of the page. */
export function DataTable({ label, columns, look, isStacked = false, children }: Props) {
  const role = (name: string): string | undefined => (isStacked ? name : undefined)
  return (
    <ScrollRegion className="tb-scroll" label={label}>
      <table className={['tb', look, isStacked ? styles.stacked : ''].filter(Boolean).join(' ')} role={role('table')}>
        <thead role={role('rowgroup')}>
          <tr role={role('row')}>
            {columns
              .map(column => (typeof column === 'string' ? { label: column } : column))
              .map(column => (
                <Head key={column.label} {...column} role={role('columnheader')} />
              ))}
          </tr>
        </thead>
        <tbody role={role('rowgroup')}>{children}</tbody>
      </table>
    </ScrollRegion>
  )
}

function Head({ label, isNumber, isHidden, look, sort, role }: Column & { role: string | undefined }) {
  const looks = [isNumber ? 'num' : '', look, sort?.isOn ? 'sorted' : ''].filter(Boolean).join(' ')
  return (
    <th
      scope="col"
      role={role}
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
