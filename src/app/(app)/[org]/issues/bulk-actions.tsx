'use client'
import { useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import { formatWhole } from '#lib/format-whole.ts'
import { ConfirmButton } from '#ui/buttons.tsx'
import type { Command } from '#ui/commands/command.ts'
import { CommandLabel } from '#ui/commands/command-label.tsx'
import { keys } from '#ui/commands/keys.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { Menu, type MenuControl } from '#ui/menu.tsx'
import type { ChangeVerb } from './bulk-input.ts'
import {
  archiveChanges,
  assignChanges,
  type Change,
  laterResolutions,
  priorityChanges,
  reopenChange,
  resolveChange,
} from './change.ts'
import { ArchiveMenu, AssignMenu, ChangeItems } from './change-menus.tsx'
import { DeleteDialogs, DeleteItems, useDeletions } from './delete-dialogs.tsx'
import { carryResult } from './triage.ts'
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
  rowFocus: RowFocus
  /** Makes a change of these issues, or of the selected ones. */
  submit: (change: string, issueIds?: readonly number[]) => void
  /** Whether the issue is resolved or archived. */
  isClosed: (issueId: number) => boolean
}

/** The changes of the selected issues. They are submit buttons, so that they work without JavaScript. */
export function BulkActions(props: BulkProps) {
  const { selection, total, verbs, assignees, me, release, rowFocus, isClosed } = props
  const id = useId()
  const selected = selectedIssues(selection, total)
  const menus = {
    assign: useRef<MenuControl>(null),
    archive: useRef<MenuControl>(null),
    more: useRef<MenuControl>(null),
  }
  const mergeDialog = useRef<HTMLDialogElement>(null)
  const deletions = useDeletions(verbs, 'issues')
  const everyIs = selection.count > 0 && selection.ids.every(isClosed) ? reopenChange : resolveChange
  useCommands(listCommands(props, menus, mergeDialog, deletions.commands))
  return (
    <div className="do">
      <b aria-live="polite">{selection.isAll ? `All ${total ?? ''} selected` : `${selection.count || ''} selected`}</b>
      <button type="submit" name="change" value={everyIs.change} className="btn plain s">
        <CommandLabel label={everyIs.label} shortcut={keys.resolve.shortcut} />
      </button>
      <Menu label="…" name="More ways to resolve" className="btn plain s">
        <ChangeItems
          changes={[...laterResolutions(release), everyIs === reopenChange ? resolveChange : reopenChange]}
        />
      </Menu>
      <AssignMenu
        label={<CommandLabel label="Assign" shortcut={keys.assign.shortcut} />}
        className="btn plain s"
        control={menus.assign}
        {...{ assignees, me, current: null }}
      />
      <ArchiveMenu
        label={<CommandLabel label="Archive" shortcut={keys.archive.shortcut} />}
        className="btn plain s"
        control={menus.archive}
      />
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
        <CommandLabel label="Merge" shortcut={keys.merge.shortcut} />
      </ConfirmButton>
      <Menu
        label={<CommandLabel label="More" shortcut={keys.priority.shortcut} />}
        className="btn plain s"
        control={menus.more}
      >
        <ChangeItems changes={priorityChanges(null)} />
        <DeleteItems id={id} verbs={verbs} />
      </Menu>
      <DeleteDialogs id={id} verbs={verbs} issues={selected} dialogs={deletions.dialogs} />
      {total !== null && total > selection.count && selection.count > 0 && !selection.isAll ? (
        <button type="button" className="btn plain s all" onClick={selection.selectAll}>
          Select all {formatWhole(total)} matching issues
        </button>
      ) : null}
      <button
        type="button"
        className="btn plain s t3"
        onClick={() => {
          const last = rowFocus.last()
          if (last !== null) rowFocus.focus(last)
          selection.clear()
        }}
      >
        <CommandLabel label="Clear" shortcut={keys.clear.shortcut} />
      </button>
    </div>
  )
}

type Handle<Element> = { current: Element | null }
type Menus = Record<'assign' | 'archive' | 'more', Handle<MenuControl>>

/** The same changes by key and from the palette: of the selected issues, else of the focused one. */
function listCommands(
  props: BulkProps,
  menus: Menus,
  mergeDialog: Handle<HTMLDialogElement>,
  deletions: readonly Command[],
): Command[] {
  const { selection, total, rowFocus, submit, isClosed, assignees, me, release } = props
  const isAimed = (): boolean => selection.count > 0 || rowFocus.cursor() !== null
  /** Called only after `isAimed`, when the palette opened or a key was pressed. */
  const targets = (): readonly number[] => {
    const aimed = selection.count === 0 ? rowFocus.aimed() : null
    return aimed === null ? selection.ids : [aimed]
  }
  const offer = (command: Omit<Command, 'kind'>): Command => ({
    kind: 'change',
    note: selection.count > 0 ? selectedIssues(selection, total) : 'focused issue',
    acceptsFocus: isInList,
    isAvailable: isAimed,
    ...command,
  })
  const change = (menu: string, { change: to, label }: Change): Command =>
    offer({ id: `issues.${to}`, label: menu + label, run: () => submit(to, targets()) })
  /** A menu or dialog acts on checked rows. If Escape closes it, the focused row is as it was. */
  const withSelection = (run: (onDismiss: (() => void) | undefined) => void) => () => {
    const aimed = rowFocus.aimed()
    if (aimed !== null && selection.count === 0) flushSync(() => selection.toggle(aimed, false))
    run(
      aimed === null
        ? undefined
        : () => {
            if (selection.count === 0) selection.clear()
            rowFocus.focus(aimed)
          },
    )
  }
  const menu = (id: keyof Menus, label: string, key: { shortcut: string; help: string }): Command =>
    offer({
      ...key,
      id: `issues.${id}`,
      label,
      run: withSelection(onDismiss => menus[id].current?.open({ onDismiss })),
    })
  return [
    offer({
      ...keys.resolve,
      id: 'issues.resolve',
      label: 'Resolve',
      run: () => submit(targets().every(isClosed) ? reopenChange.change : resolveChange.change, targets()),
    }),
    ...laterResolutions(release).map(later => change('Resolve: ', later)),
    change('', reopenChange),
    menu('assign', 'Assign', keys.assign),
    ...assignChanges({ assignees, me, current: null }).map(each => change('Assign: ', each)),
    menu('archive', 'Archive', keys.archive),
    ...archiveChanges.map(each => change('Archive: ', each)),
    offer({
      ...keys.merge,
      id: 'issues.merge',
      label: 'Merge',
      isAvailable: () => true,
      run() {
        if (selection.count > 1) mergeDialog.current?.showPopover()
        else carryResult({ kind: 'done', message: 'Select two or more issues to merge them.' })
      },
    }),
    menu('more', 'Set the priority', keys.priority),
    ...priorityChanges(null).map(priority => change('', priority)),
    ...deletions.map(({ run, ...deletion }) => offer({ ...deletion, run: withSelection(run) })),
  ]
}

/** Without JavaScript the number of selected issues is unknown. */
function selectedIssues({ count, isAll }: Selection, total: number | null): string {
  if (isAll) return total === null ? 'all matching issues' : `all ${formatWhole(total)} issues`
  return count === 0 ? 'the selected issues' : `${count} ${count === 1 ? 'issue' : 'issues'}`
}
