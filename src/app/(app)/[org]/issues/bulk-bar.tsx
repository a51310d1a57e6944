import { BulkActions, type BulkProps } from './bulk-actions.tsx'

type Props = BulkProps & { range: string; sort: string }

/** The column heads. When a row is selected, the bulk actions replace the first ones. */
export function BulkBar({ range, sort, ...bulk }: Props) {
  const { selection } = bulk
  const sorted = (name: string, look: string) => (sort === name ? `${look} sorted` : look)
  return (
    <div className="ihead">
      <label className="ckc">
        <input
          className={selection.count > 0 ? 'check mixed' : 'check'}
          type="checkbox"
          checked={selection.count > 0}
          aria-label="Select all on this page"
          onChange={selection.togglePage}
        />
      </label>
      {bulk.verbs.length > 0 ? <BulkActions {...bulk} /> : null}
      <span className="hd">Issue</span>
      <span className="st">Change, release</span>
      <span className="tr">{range.charAt(0).toUpperCase() + range.slice(1)}</span>
      <span className={sorted('events', 'num')}>Events</span>
      <span className={sorted('users', 'num us')}>Users</span>
      <span className={sorted('lastSeen', 'num when')}>Last seen</span>
      <span className="num as">
        <span className="sr">Assignee</span>
      </span>
    </div>
  )
}
