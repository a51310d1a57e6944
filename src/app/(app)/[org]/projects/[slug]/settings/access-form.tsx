'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { idle } from '#web/action-state.ts'
import { saveAccess } from '../../actions.ts'

type Props = {
  organizationSlug: string
  projectId: number
  isPrivate: boolean
  teams: { id: number; slug: string; isOwner: boolean }[]
}

export function AccessForm({ organizationSlug, projectId, isPrivate, teams }: Props) {
  const [state, action] = useAction(saveAccess, idle)
  return (
    <ActionForm action={action} className="form wide">
      {state.kind === 'idle' ? null : <Notice kind={state.kind === 'done' ? 'ok' : 'error'}>{state.message}</Notice>}
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="project" value={projectId} />
      <fieldset className="field choices">
        <legend>Teams that own this project</legend>
        {teams.length === 0 ? <p className="t2">No teams yet. Create them under Members.</p> : null}
        {teams.map(({ id, slug, isOwner }) => (
          <label key={id} className="choice">
            <input className="check" type="checkbox" name="team" value={id} defaultChecked={isOwner} />
            <span className="mono">#{slug}</span>
          </label>
        ))}
      </fieldset>
      <fieldset className="field choices">
        <legend>Who sees it</legend>
        <label className="choice">
          <input className="check" type="checkbox" name="private" value="on" defaultChecked={isPrivate} />
          <span>
            Private <span className="t2">only these teams, admins and owners see it; others get “not found”</span>
          </span>
        </label>
      </fieldset>
      <div className="row">
        <SubmitButton look="">Save access</SubmitButton>
      </div>
    </ActionForm>
  )
}
