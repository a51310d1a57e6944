'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { idle } from '#web/action-state.ts'
import { saveFilter } from './actions.ts'

type Props = {
  organizationSlug: string
  project: { id: number; slug: string }
  rule: string
  to: string
  label: string
}

export function SaveFilter({ organizationSlug, project, rule, to, label }: Props) {
  const [state, action] = useAction(saveFilter, idle)
  return (
    <ActionForm action={action} className="inline-form">
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="project" value={project.id} />
      <input type="hidden" name="slug" value={project.slug} />
      <input type="hidden" name="rule" value={rule} />
      <input type="hidden" name="to" value={to} />
      <SubmitButton look="s">{label}</SubmitButton>
      {state.kind === 'failed' ? (
        <span className="bad" role="alert">
          {state.message}
        </span>
      ) : null}
    </ActionForm>
  )
}
