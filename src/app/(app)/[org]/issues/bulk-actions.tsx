'use client'
import { type RefObject, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { ConfirmButton } from '#ui/buttons.tsx'
import type { Command } from '#ui/commands/command.ts'
import { CommandLabel } from '#ui/commands/command-label.tsx'
import { submitChange } from '#ui/commands/submit-change.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { Menu, type MenuControl } from '#ui/menu.tsx'
import type { ChangeVerb } from './bulk-input.ts'
import { type Change, laterResolutions, priorityChanges } from './change.ts'
import { ArchiveMenu, AssignMenu, ChangeItems } from './change-menus.tsx'
import { DeleteDialogs, DeleteItems, useDeletions } from './delete-dialogs.tsx'
import { isInList } from './use-list-commands.ts'
import type { RowFocus } from './use-row-focus.ts'
import type { Selection } from './use-selection.ts'

export type BulkProps = {
  selection: Selection
  total: number | null
  /** The changes that the viewer may make; empty for viewers with read access. */
  verbs: ChangeVerb[]
  assignees: { id: string; name: string }[]
  me: string
  /** The last release of the selected issues. */
  release: string
  form: RefObject<HTMLFormElement | null>
  action: (data: FormData) => void
  rowFocus: RowFocus
}

const resolve = { label: 'Resolve', shortcut: 'e' }
const assign = { label: 'Assign', shortcut: 'a' }
const archive = { label: 'Archive', shortcut: 'z' }
const merge = { label: 'Merge', shortcut: 'm' }
const reopen: Change = { change: 'reopen', label: 'Reopen' }

/** The changes of the selected issues. They are submit buttons, so that they work without JavaScript. */
export function BulkActions(props: BulkProps) {
  const { selection, total, verbs, assignees, me, release } = props
  const id = useId()
  const selected = selectedIssues(selection, total)
  const menus = { assign: useRef<MenuControl>(null), archive: useRef<MenuControl>(null) }
  const mergeDialog = useRef<HTMLDialogElement>(null)
  const deletions = useDeletions(verbs, 'issues')
  const submit = (change: string) => submitChange(props.form.current, change, props.action)
  const change = (menu: string, { change: to, label }: Change): Command => ({
    id: `issues.${to}`,
    label: menu + label,
    kind: 'change',
    run: () => submit(to),
  })
  const commands: Command[] = [
    { ...resolve, id: 'issues.resolve', kind: 'change', run: () => submit('resolve:now') },
    ...laterResolutions(release).map(later => change('Resolve: ', later)),
    change('', reopen),
    { ...assign, id: 'issues.assign', kind: 'change', run: () => menus.assign.current?.toggle() },
    { ...archive, id: 'issues.archive', kind: 'change', run: () => menus.archive.current?.toggle() },
    { ...merge, id: 'issues.merge', kind: 'change', run: () => mergeDialog.current?.showPopover() },
    ...priorityChanges(null).map(priority => change('', priority)),
    ...deletions.commands,
  ]
  useCommands(commands.map(command => onSelection(command, props)))
  return (
    <div className="do">
      <b aria-live="polite">{selection.isAll ? `All ${total ?? ''} selected` : `${selection.count || ''} selected`}</b>
      <button type="submit" name="change" value="resolve:now" className="btn plain s">
        <CommandLabel {...resolve} />
      </button>
      <Menu label="…" name="More ways to resolve" className="btn plain s">
        <ChangeItems changes={[...laterResolutions(release), reopen]} />
      </Menu>
      <AssignMenu
        label={<CommandLabel {...assign} />}
        className="btn plain s"
        control={menus.assign}
        {...{ assignees, me, current: null }}
      />
      <ArchiveMenu label={<CommandLabel {...archive} />} className="btn plain s" control={menus.archive} />
      <ConfirmButton
        dialog={mergeDialog}
        className="btn plain s"
        query={`Merge ${selected} into one?`}
        effect="Their events are counted together in the oldest issue. You can unmerge each one later."
        verb="Merge"
        name="change"
        value="merge"
        look="primary"
      >
        <CommandLabel {...merge} />
      </ConfirmButton>
      <Menu label="More" className="btn plain s">
        <ChangeItems changes={priorityChanges(null)} />
        <DeleteItems id={id} verbs={verbs} />
      </Menu>
      <DeleteDialogs id={id} verbs={verbs} issues={selected} dialogs={deletions.dialogs} />
      {total !== null && total > selection.count && selection.count > 0 && !selection.isAll ? (
        <button type="button" className="btn plain s all" onClick={selection.selectAll}>
          Select all {total.toLocaleString('en-US')} matching issues
        </button>
      ) : null}
      <button type="button" className="btn plain s t3" onClick={selection.clear}>
        <CommandLabel label="Clear" shortcut="Escape" />
      </button>
    </div>
  )
}

/** A command applies to the selection, else to the focused row, which it selects first. */
function onSelection(command: Command, { selection, total, rowFocus }: BulkProps): Command {
  return {
    ...command,
    note: selection.count > 0 ? selectedIssues(selection, total) : 'focused issue',
    acceptsFocus: isInList,
    isAvailable: () => selection.count > 0 || rowFocus.cursor() !== null,
    run() {
      const cursor = rowFocus.cursor()
      if (selection.count === 0 && cursor) flushSync(() => selection.toggle(cursor.id, false))
      command.run()
    },
  }
}

/** Without JavaScript the number of selected issues is unknown. */
function selectedIssues({ count, isAll }: Selection, total: number | null): string {
  if (isAll) return total === null ? 'all matching issues' : `all ${total.toLocaleString('en-US')} issues`
  return count === 0 ? 'the selected issues' : `${count} ${count === 1 ? 'issue' : 'issues'}`
}
