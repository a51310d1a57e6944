'use client'
import { useActionState, useState } from 'react'
import { type ActionState, idle } from '#web/action-state.ts'
import { undoIssueChanges } from './actions.ts'
import { ChangeToast } from './change-toast.tsx'

type Props = { organizationSlug: string; undo: string; isDiscarded: boolean }

/** For one who comes from the page of an issue that is gone now. */
export function DoneNote({ organizationSlug, undo: token, isDiscarded }: Props) {
  const [undone, undo] = useActionState(undoIssueChanges, idle)
  const message = isDiscarded ? 'Issue deleted; what comes of this kind is discarded.' : 'Issue deleted.'
  const [told] = useState<ActionState>({ kind: 'done', message, undo: token })
  return <ChangeToast state={told} undone={undone} undo={undo} organizationSlug={organizationSlug} />
}
