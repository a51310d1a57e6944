'use client'
import { ChevronDown, Ellipsis } from 'lucide-react'
import { type RefObject, useId, useRef } from 'react'
import { NoDefaultButton } from '#ui/buttons.tsx'
import type { Command } from '#ui/commands/command.ts'
import { ownKeys } from '#ui/commands/command.ts'
import { CommandLabel } from '#ui/commands/command-label.tsx'
import { keys } from '#ui/commands/keys.ts'
import { submitChange } from '#ui/commands/submit-change.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { Menu, type MenuControl, MenuFields } from '#ui/menu.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { idle } from '#web/action-state.ts'
import { undoIssueChanges } from '../actions.ts'
import type { ChangeVerb } from '../bulk-input.ts'
import {
  archiveChanges,
  assignChanges,
  type Change,
  laterResolutions,
  priorityChanges,
  reopenChange,
  resolveChange,
} from '../change.ts'
import { ArchiveMenu, AssignMenu, ChangeItems } from '../change-menus.tsx'
import { ChangeToast } from '../change-toast.tsx'
import { DeleteDialogs, DeleteItems, useDeletions } from '../delete-dialogs.tsx'
import { findBoard } from '../triage.ts'
import { changeIssue } from './actions.ts'

type Props = {
  organizationSlug: string
  issueId: number
  status: 'unresolved' | 'resolved' | 'archived'
  assignee: string
  priority: 'high' | 'medium' | 'low'
  lastRelease: string
  assignees: { id: string; name: string }[]
  me: string
  /** The changes that the viewer may make. */
  verbs: ChangeVerb[]
  /** Beside the list, a change goes on to the next issue. */
  isPeek?: boolean
  /** What a user wrote is not archived until something happens: it is spam, or it is not. */
  isFeedback?: boolean
}

const merge: Change = { change: 'merge', label: 'Merge into this issue' }
const spam: Change = { change: 'archive:forever', label: 'Spam' }
const mergeField = 'input[name=into]'

/** One form with a submit button per change, so that it works without JavaScript. */
export function IssueActions(props: Props) {
  const [state, action, isPending] = useAction(changeIssue, idle)
  const [undone, undo] = useAction(undoIssueChanges, idle)
  const form = useRef<HTMLFormElement>(null)
  const menus = {
    assign: useRef<MenuControl>(null),
    archive: useRef<MenuControl>(null),
    more: useRef<MenuControl>(null),
  }
  const id = useId()
  const isOpen = props.status === 'unresolved'
  const deletions = useDeletions(props.verbs, 'issue')
  /** In the peek, the list makes the change: it outlives the issue that is shown. A merge stays with this issue. */
  const send = (data: FormData) => {
    const board = props.isPeek && data.get('change') !== merge.change ? findBoard() : null
    if (board) board.submit(data)
    else action(data)
  }
  const commands = changeCommands(props, menus, form, send)
  useCommands([...commands, ...deletions.commands].map(command => inPlace(command, props.isPeek ?? false)))
  return (
    <>
      <ActionForm ref={form} action={props.isPeek ? send : action} className="acts" noValidate>
        <NoDefaultButton />
        <input type="hidden" name="org" value={props.organizationSlug} />
        <input type="hidden" name="issue" value={props.issueId} />
        {isOpen ? (
          <span className="split">
            <MainButton {...resolveChange} look="btn primary" />
            <Menu
              label={<ChevronDown className="i i-s" aria-hidden="true" />}
              name="More ways to resolve"
              className="btn primary more"
            >
              <ChangeItems changes={laterResolutions(props.lastRelease)} />
            </Menu>
          </span>
        ) : (
          <MainButton {...reopenChange} look="btn" />
        )}
        <AssignMenu
          label={<CommandLabel label="Assign" shortcut={keys.assign.shortcut} />}
          className="btn"
          control={menus.assign}
          assignees={props.assignees}
          me={props.me}
          current={props.assignee}
        />
        {props.isFeedback && isOpen ? <ChangeButton {...spam} /> : null}
        {props.status === 'archived' || props.isFeedback ? null : (
          <ArchiveMenu
            label={<CommandLabel label="Archive" shortcut={keys.archive.shortcut} />}
            className="btn"
            control={menus.archive}
          />
        )}
        <DeleteDialogs id={id} verbs={props.verbs} issues="this issue" dialogs={deletions.dialogs} />
        <Menu
          label={<Ellipsis className="i" aria-hidden="true" />}
          name="More actions"
          className="btn icon"
          control={menus.more}
        >
          <ChangeItems changes={priorityChanges(props.priority)} />
          <MenuFields {...merge}>
            <input className="inp mono" name="into" placeholder="WEB-42" aria-label="Short ID of the other issue" />
          </MenuFields>
          <DeleteItems id={id} verbs={props.verbs} />
        </Menu>
      </ActionForm>
      <ChangeToast {...{ state, undone, undo, isPending }} organizationSlug={props.organizationSlug} />
    </>
  )
}

function ChangeButton({ change, label }: Change) {
  return (
    <button type="submit" name="change" value={change} className="btn">
      {label}
    </button>
  )
}

function MainButton({ change, label, look }: Change & { look: string }) {
  return (
    <button type="submit" name="change" value={change} className={look}>
      <CommandLabel label={label} shortcut={keys.resolve.shortcut} />
    </button>
  )
}

type Form = RefObject<HTMLFormElement | null>
type Menus = Record<'assign' | 'archive' | 'more', RefObject<MenuControl | null>>

/** The buttons of the form as commands. An item of a menu is prefixed with the menu: "Archive: For a week". */
function changeCommands(props: Props, menus: Menus, form: Form, send: (data: FormData) => void): Command[] {
  const { status, assignees, me, assignee } = props
  const command = (menu: string, { change, label }: Change): Command => ({
    id: `issue.${change}`,
    label: menu + label,
    kind: 'change',
    run: () => submitChange(form.current, change, send),
  })
  const all = (menu: string, changes: readonly Change[]) => changes.map(change => command(menu, change))
  /** Opens a menu of this form, where the list has a menu of its own. */
  const menu = (of: 'assign' | 'archive' | 'priority' | 'merge', label: string, focus?: string): Command => ({
    ...keys[of],
    id: `issue.${of}-menu`,
    label,
    kind: 'change',
    yieldsTo: of === 'priority' ? 'issues.more' : `issues.${of}`,
    run: () => menus[of === 'assign' || of === 'archive' ? of : 'more'].current?.open(focus ? { focus } : {}),
  })
  return [
    {
      ...command('', status === 'unresolved' ? resolveChange : reopenChange),
      ...keys.resolve,
      yieldsTo: 'issues.resolve',
    },
    ...(status === 'unresolved' ? all('Resolve: ', laterResolutions(props.lastRelease)) : []),
    menu('assign', 'Assign…'),
    ...all('Assign: ', assignChanges({ assignees, me, current: assignee })),
    ...(props.isFeedback && status === 'unresolved' ? [command('', { ...spam, label: 'Mark as spam' })] : []),
    ...(status === 'archived' || props.isFeedback
      ? []
      : [menu('archive', 'Archive…'), ...all('Archive: ', archiveChanges)]),
    menu('priority', 'Set the priority…'),
    ...all('', priorityChanges(props.priority)),
    menu('merge', 'Merge…', mergeField),
  ]
}

/** Keys belong to the peek while focus is in it, or nowhere. Elsewhere they belong to the list. */
function inPlace(command: Command, isPeek: boolean): Command {
  if (!isPeek) return command
  return {
    ...command,
    acceptsFocus: focused =>
      focused.closest(ownKeys) === null && (focused.closest('.peek') !== null || focused === document.body),
  }
}
