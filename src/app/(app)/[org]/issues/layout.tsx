import type { ReactNode } from 'react'
import { changeIssues } from './actions.ts'
import { ListActionsProvider } from './list-actions.tsx'
import { UndoSteps } from './undo-steps.tsx'

type Props = { children: ReactNode; peek: ReactNode; params: Promise<{ org: string }> }

/** The list with an optional peek at an issue beside it. Reloading the issue's URL shows its page instead. */
export default async function IssuesLayout({ children, peek, params }: Props) {
  const { org } = await params
  return (
    <ListActionsProvider changeIssues={changeIssues}>
      <div className="with-peek">
        {children}
        {peek}
      </div>
      <UndoSteps organizationSlug={org} />
    </ListActionsProvider>
  )
}
