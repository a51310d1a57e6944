import { useId } from 'react'
import { ConfirmButton } from '#ui/buttons.tsx'
import { Menu } from '#ui/menu.tsx'
import type { ChangeVerb } from './bulk-input.ts'
import { ArchiveMenu, AssignMenu } from './change-menus.tsx'
import { DeleteDialogs, DeleteItems } from './delete-dialogs.tsx'
import type { Selection } from './use-selection.ts'

type Props = {
  selection: Selection
  total: number | null
  /** The changes that the viewer may make; empty for viewers with read access. */
  verbs: ChangeVerb[]
  assignees: { id: string; name: string }[]
  me: string
  range: string
  sort: string
  release: string
}

/** The column heads. When a row is selected, the bulk actions replace the first ones. */
export function BulkBar({ selection, total, verbs, assignees, me, range, sort, release }: Props) {
  const sorted = (name: string, look: string) => (sort === name ? `${look} sorted` : look)
  const id = useId()
  const selected = selectedIssues(selection, total)
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
      {verbs.length > 0 ? (
        <div className="do">
          <b aria-live="polite">
            {selection.isAll ? `All ${total ?? ''} selected` : `${selection.count || ''} selected`}
          </b>
          <Do change="resolve:now" label="Resolve" hint="E" />
          <Menu label="…" name="More ways to resolve" className="btn plain s">
            <Do change="resolve:next_release" label="In the next release" isItem />
            {release ? (
              <Do change={`resolve:in_release:${release}`} label={`In ${release.slice(0, 60)}`} isItem />
            ) : null}
            <Do change="reopen" label="Reopen" isItem />
          </Menu>
          <span data-key="a">
            <AssignMenu
              label={<Hinted label="Assign" hint="A" />}
              className="btn plain s"
              assignees={assignees}
              me={me}
              current={null}
            />
          </span>
          <span data-key="z">
            <ArchiveMenu label={<Hinted label="Archive" hint="Z" />} className="btn plain s" />
          </span>
          <ConfirmButton
            className="btn plain s"
            hint="m"
            query={`Merge ${selected} into one?`}
            effect="Their events are counted together in the oldest issue. You can unmerge each one later."
            verb="Merge"
            name="change"
            value="merge"
            look="primary"
          >
            <Hinted label="Merge" hint="M" />
          </ConfirmButton>
          <Menu label="More" className="btn plain s">
            {(['high', 'medium', 'low'] as const).map(priority => (
              <Do key={priority} change={`priority:${priority}`} label={`Priority ${priority}`} isItem />
            ))}
            <DeleteItems id={id} verbs={verbs} />
          </Menu>
          <DeleteDialogs id={id} verbs={verbs} issues={selected} />
          {total !== null && total > selection.count && selection.count > 0 && !selection.isAll ? (
            <button type="button" className="btn plain s all" onClick={selection.selectAll}>
              Select all {total.toLocaleString('en-US')} matching issues
            </button>
          ) : null}
          <button type="button" className="btn plain s t3" onClick={selection.clear}>
            Clear <kbd>Esc</kbd>
          </button>
        </div>
      ) : null}
      <span className="hd">Issue</span>
      <span className="st">Change, release</span>
      <span className="tr">{range}</span>
      <span className={sorted('events', 'num')}>Events</span>
      <span className={sorted('users', 'num us')}>Users</span>
      <span className={sorted('lastSeen', 'num when')}>Last seen</span>
      <span className="num as">
        <span className="sr">Assignee</span>
      </span>
    </div>
  )
}

/** Without JavaScript the number of selected issues is unknown. */
function selectedIssues({ count, isAll }: Selection, total: number | null): string {
  if (isAll) return total === null ? 'all matching issues' : `all ${total.toLocaleString('en-US')} issues`
  return count === 0 ? 'the selected issues' : `${count} ${count === 1 ? 'issue' : 'issues'}`
}

type DoProps = { change: string; label: string; hint?: string; isItem?: boolean }

/** A submit button of the form, so that it works without JavaScript. */
function Do({ change, label, hint, isItem = false }: DoProps) {
  return (
    <button
      type="submit"
      name="change"
      value={change}
      className={isItem ? undefined : 'btn plain s'}
      data-key={hint?.toLowerCase()}
    >
      {hint ? <Hinted label={label} hint={hint} /> : label}
    </button>
  )
}

function Hinted({ label, hint }: { label: string; hint: string }) {
  return (
    <>
      {label} <kbd>{hint}</kbd>
    </>
  )
}
