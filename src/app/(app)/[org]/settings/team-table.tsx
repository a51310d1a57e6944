'use client'
import { useRef } from 'react'
import type { listMembers } from '#domain/members/list-members.ts'
import type { Team } from '#domain/members/teams.ts'
import { ConfirmButton, SubmitButton } from '#ui/buttons.tsx'
import type { Command } from '#ui/commands/command.ts'
import { submitChange } from '#ui/commands/submit-change.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { Field } from '#ui/field.tsx'
import { Menu } from '#ui/menu.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { ActionToast } from '#ui/toast/toast.tsx'
import { formFaults, idle } from '#web/action-state.ts'
import { changeTeam, submitTeam } from './actions.ts'

type Props = {
  teams: Team[]
  members: Awaited<ReturnType<typeof listMembers>>
  organizationSlug: string
  mayWrite: boolean
}

/** The toast is rendered here, because the row of a deleted team is gone. */
export function TeamTable({ teams, members, organizationSlug, mayWrite }: Props) {
  const [state, change] = useAction(changeTeam, idle)
  const users = members.map(({ id, name }) => ({ id, name }))
  return (
    <>
      {teams.length === 0 ? (
        <p className="t2">No teams yet. Create one to assign issues to several members at once.</p>
      ) : (
        <ul className="teams">
          {teams.map(team => (
            <TeamRow key={team.id} {...{ team, users, organizationSlug, mayWrite, change }} />
          ))}
        </ul>
      )}
      <ActionToast state={state} />
    </>
  )
}

type TeamRowProps = {
  team: { id: number; slug: string; name: string; userIds: string[] }
  users: { id: string; name: string }[]
  organizationSlug: string
  mayWrite: boolean
  change: (form: FormData) => void
}

/** A team with its members. All buttons submit one form, so that it works without JavaScript. */
function TeamRow({ team, users, organizationSlug, mayWrite, change }: TeamRowProps) {
  const isIn = (id: string) => team.userIds.includes(id)
  const names = users.filter(({ id }) => isIn(id)).map(({ name }) => name)
  const form = useRef<HTMLFormElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const memberships = users.map(({ id, name }) => ({
    change: `${isIn(id) ? 'remove' : 'add'}:${id}`,
    label: isIn(id) ? `Remove ${name}` : `Add ${name}`,
    isIn: isIn(id),
  }))
  const menuName = `Members of ${team.slug}`
  const deleteLabel = `Delete team #${team.slug}`
  useCommands(
    mayWrite
      ? [
          ...memberships.map(
            ({ change: to, label }): Command => ({
              id: `team.${team.id}.${to}`,
              label: `${menuName}: ${label}`,
              kind: 'change',
              run: () => submitChange(form.current, to, change),
            }),
          ),
          {
            id: `team.${team.id}.delete`,
            label: deleteLabel,
            kind: 'change',
            run: () => dialog.current?.showPopover(),
          },
        ]
      : [],
  )
  return (
    <li>
      <span className="mono strong">#{team.slug}</span>
      <span className="t2">{names.length === 0 ? 'no members' : names.join(', ')}</span>
      {mayWrite ? (
        <ActionForm ref={form} action={change} className="acts">
          <input type="hidden" name="org" value={organizationSlug} />
          <input type="hidden" name="team" value={team.id} />
          <Menu label="Members" name={menuName} className="btn s">
            {memberships.map(({ change: to, label, isIn: isMember }) => (
              <button key={to} type="submit" name="change" value={to} aria-current={isMember ? 'true' : undefined}>
                {label}
              </button>
            ))}
          </Menu>
          <ConfirmButton
            dialog={dialog}
            className="btn s danger"
            label={deleteLabel}
            query={`Delete team #${team.slug}?`}
            effect="Issues assigned to it become unassigned. Its members stay in the organization."
            verb="Delete team"
            name="change"
            value="delete"
          >
            Delete
          </ConfirmButton>
        </ActionForm>
      ) : null}
    </li>
  )
}

export function TeamForm({ organizationSlug }: { organizationSlug: string }) {
  const [state, action] = useAction(submitTeam, idle)
  const { fields, values } = formFaults(state)
  return (
    <ActionForm action={action} className="form wide below">
      {state.kind === 'done' ? <Notice kind="ok">{state.message}</Notice> : null}
      <input type="hidden" name="org" value={organizationSlug} />
      <div className="form-line">
        <Field
          name="team"
          label="Team name"
          maxLength={50}
          placeholder="checkout"
          error={fields.team}
          defaultValue={values.team}
        />
        <SubmitButton look="">Add team</SubmitButton>
      </div>
    </ActionForm>
  )
}
