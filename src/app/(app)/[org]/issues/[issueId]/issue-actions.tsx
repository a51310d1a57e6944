'use client'
import { ChevronDown, Ellipsis } from 'lucide-react'
import { type RefObject, useActionState, useId, useRef } from 'react'
import { NoDefaultButton } from '#ui/buttons.tsx'
import type { Command } from '#ui/commands/command.ts'
import { CommandLabel } from '#ui/commands/command-label.tsx'
import { submitChange } from '#ui/commands/submit-change.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { Menu, MenuFields } from '#ui/menu.tsx'
import { idle } from '#web/action-state.ts'
import { undoIssueChanges } from '../actions.ts'
import type { ChangeVerb } from '../bulk-input.ts'
import { archiveChanges, assignChanges, type Change, laterResolutions, ownArchive, priorityChanges } from '../change.ts'
import { ArchiveMenu, AssignMenu, ChangeItems } from '../change-menus.tsx'
import { ChangeToast } from '../change-toast.tsx'
import { DeleteDialogs, DeleteItems, useDeletions } from '../delete-dialogs.tsx'
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
  /** On the issue page, the keyboard shortcuts belong to this issue. */
  hasKeys?: boolean
}

const shortcut = 'e'
const resolve: Change = { change: 'resolve:now', label: 'Resolve' }
const reopen: Change = { change: 'reopen', label: 'Reopen' }
const merge: Change = { change: 'merge', label: 'Merge into this issue' }

/** One form with a submit button per change, so that it works without JavaScript. */
export function IssueActions(props: Props) {
  const [state, action] = useActionState(changeIssue, idle)
  const [undone, undo] = useActionState(undoIssueChanges, idle)
  const form = useRef<HTMLFormElement>(null)
  const id = useId()
  const isOpen = props.status === 'unresolved'
  const deletions = useDeletions(props.verbs, 'issue')
  useCommands([...changeCommands(props, form, action), ...deletions.commands])
  return (
    <>
      <form ref={form} action={action} className="acts" noValidate>
        <NoDefaultButton />
        <input type="hidden" name="org" value={props.organizationSlug} />
        <input type="hidden" name="issue" value={props.issueId} />
        {isOpen ? (
          <span className="split">
            <MainButton {...resolve} look="btn primary" />
            <Menu
              label={<ChevronDown className="i i-s" aria-hidden="true" />}
              name="More ways to resolve"
              className="btn primary more"
            >
              <ChangeItems changes={laterResolutions(props.lastRelease)} />
            </Menu>
          </span>
        ) : (
          <MainButton {...reopen} look="btn" />
        )}
        <AssignMenu label="Assign" className="btn" assignees={props.assignees} me={props.me} current={props.assignee} />
        {props.status === 'archived' ? null : <ArchiveMenu label="Archive" className="btn" />}
        <DeleteDialogs id={id} verbs={props.verbs} issues="this issue" dialogs={deletions.dialogs} />
        <Menu label={<Ellipsis className="i" aria-hidden="true" />} name="More actions" className="btn icon">
          <ChangeItems changes={priorityChanges(props.priority)} />
          <MenuFields {...merge}>
            <input className="inp mono" name="into" placeholder="WEB-42" aria-label="Short ID of the other issue" />
          </MenuFields>
          <DeleteItems id={id} verbs={props.verbs} />
        </Menu>
      </form>
      <ChangeToast state={state} undone={undone} undo={undo} organizationSlug={props.organizationSlug} />
    </>
  )
}

function MainButton({ change, label, look }: Change & { look: string }) {
  return (
    <button type="submit" name="change" value={change} className={look}>
      <CommandLabel label={label} shortcut={shortcut} />
    </button>
  )
}

type Form = RefObject<HTMLFormElement | null>

/** The buttons of the form as commands. An item of a menu is prefixed with the menu: "Archive: For a week". */
function changeCommands(props: Props, form: Form, action: (data: FormData) => void): Command[] {
  const { status, assignees, me, assignee } = props
  const command = (menu: string, { change, label }: Change): Command => ({
    id: `issue.${change}`,
    label: menu + label,
    kind: 'change',
    run: () => submitChange(form.current, change, action),
  })
  const all = (menu: string, changes: readonly Change[]) => changes.map(change => command(menu, change))
  const main = status === 'unresolved' ? resolve : reopen
  return [
    { ...command('', main), shortcut: props.hasKeys ? shortcut : undefined },
    ...(status === 'unresolved' ? all('Resolve: ', laterResolutions(props.lastRelease)) : []),
    ...all('Assign: ', assignChanges({ assignees, me, current: assignee })),
    ...(status === 'archived' ? [] : all('Archive: ', [...archiveChanges, ownArchive])),
    ...all('', [...priorityChanges(props.priority), merge]),
  ]
}
