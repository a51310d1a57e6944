'use client'
import { ChevronDown, Ellipsis } from 'lucide-react'
import { useActionState, useId, useRef } from 'react'
import { NoDefaultButton } from '#ui/buttons.tsx'
import { useKey } from '#ui/keys/key-help.tsx'
import { Menu, MenuFields } from '#ui/menu.tsx'
import { idle } from '#web/action-state.ts'
import { undoIssueChanges } from '../actions.ts'
import type { ChangeVerb } from '../bulk-input.ts'
import { ArchiveMenu, AssignMenu } from '../change-menus.tsx'
import { ChangeToast } from '../change-toast.tsx'
import { DeleteDialogs, DeleteItems } from '../delete-dialogs.tsx'
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

/** One form with a submit button per change, so that it works without JavaScript. */
export function IssueActions(props: Props) {
  const [state, action] = useActionState(changeIssue, idle)
  const [undone, undo] = useActionState(undoIssueChanges, idle)
  const main = useRef<HTMLButtonElement>(null)
  const id = useId()
  const isOpen = props.status === 'unresolved'
  useKey('e', () => props.hasKeys && main.current?.click())
  return (
    <>
      <form action={action} className="acts" noValidate>
        <NoDefaultButton />
        <input type="hidden" name="org" value={props.organizationSlug} />
        <input type="hidden" name="issue" value={props.issueId} />
        {isOpen ? (
          <Resolve main={main} lastRelease={props.lastRelease} />
        ) : (
          <Do change="reopen" label="Reopen" look="btn" button={main} hint="E" />
        )}
        <AssignMenu label="Assign" className="btn" assignees={props.assignees} me={props.me} current={props.assignee} />
        {props.status === 'archived' ? null : <ArchiveMenu label="Archive" className="btn" />}
        <DeleteDialogs id={id} verbs={props.verbs} issues="this issue" />
        <Menu label={<Ellipsis className="i" aria-hidden="true" />} name="More actions" className="btn icon">
          {(['high', 'medium', 'low'] as const).map(priority => (
            <Do
              key={priority}
              change={`priority:${priority}`}
              label={`Priority ${priority}`}
              isOn={props.priority === priority}
            />
          ))}
          <MenuFields>
            <input className="inp mono" name="into" placeholder="WEB-42" aria-label="Short ID of the other issue" />
            <button type="submit" name="change" value="merge">
              Merge into this issue
            </button>
          </MenuFields>
          <DeleteItems id={id} verbs={props.verbs} />
        </Menu>
      </form>
      <ChangeToast state={state} undone={undone} undo={undo} organizationSlug={props.organizationSlug} />
    </>
  )
}

function Resolve({ main, lastRelease }: { main: React.Ref<HTMLButtonElement>; lastRelease: string }) {
  return (
    <span className="split">
      <Do change="resolve:now" label="Resolve" look="btn primary" button={main} hint="E" />
      <Menu
        label={<ChevronDown className="i i-s" aria-hidden="true" />}
        name="More ways to resolve"
        className="btn primary more"
      >
        <Do change="resolve:next_release" label="In the next release" />
        {lastRelease ? (
          <Do change={`resolve:in_release:${lastRelease}`} label={`In ${lastRelease.slice(0, 60)}`} />
        ) : null}
      </Menu>
    </span>
  )
}

type DoProps = {
  change: string
  label: string
  look?: string
  isOn?: boolean
  hint?: string
  button?: React.Ref<HTMLButtonElement>
}

function Do({ change, label, look = '', isOn = false, hint, button }: DoProps) {
  return (
    <button
      ref={button}
      type="submit"
      name="change"
      value={change}
      className={look}
      aria-current={isOn ? 'true' : undefined}
    >
      {label}
      {hint ? <kbd>{hint}</kbd> : null}
    </button>
  )
}
