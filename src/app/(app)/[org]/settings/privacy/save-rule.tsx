'use client'
import { useActionState } from 'react'
import { SubmitButton } from '#ui/buttons.tsx'
import { Notice } from '#ui/notice.tsx'
import { idle } from '#web/action-state.ts'
import { saveScrubRule } from './actions.ts'

type Props = { organizationSlug: string; projectId: number | null; path: string; pattern: string; action: string }

export function SaveRule({ organizationSlug, projectId, path, pattern, action: kind }: Props) {
  const [state, action] = useActionState(saveScrubRule, idle)
  return (
    <form action={action} className="inline-form">
      <input type="hidden" name="org" value={organizationSlug} />
      <input type="hidden" name="project" value={projectId ?? ''} />
      <input type="hidden" name="path" value={path} />
      <input type="hidden" name="pattern" value={pattern} />
      <input type="hidden" name="action" value={kind} />
      <SubmitButton>Add rule</SubmitButton>
      {state.kind === 'failed' ? <Notice kind="error">{state.message}</Notice> : null}
    </form>
  )
}
