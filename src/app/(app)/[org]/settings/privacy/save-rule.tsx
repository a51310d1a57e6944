'use client'
import { SubmitButton } from '#ui/buttons.tsx'
import { Notice } from '#ui/notice.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { idle } from '#web/action-state.ts'
import { saveScrubRule } from './actions.ts'

type Props = { organizationSlug: string; projectId: number | null; path: string; pattern: string; action: string }

export function SaveRule({ organizationSlug, projectId, path, pattern, action: kind }: Props) {
  const [state, action] = useAction(saveScrubRule, idle)
  return (
    <ActionForm action={action} className="inline-form">
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="project" value={projectId ?? ''} />
      <input type="hidden" name="path" value={path} />
      <input type="hidden" name="pattern" value={pattern} />
      <input type="hidden" name="action" value={kind} />
      <SubmitButton>Add rule</SubmitButton>
      {state.kind === 'failed' ? <Notice kind="error">{state.message}</Notice> : null}
    </ActionForm>
  )
}
