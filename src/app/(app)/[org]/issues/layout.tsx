import type { ReactNode } from 'react'
import { changeIssues } from './actions.ts'
import { ListActionsProvider } from './list-actions.tsx'

/** The list with an optional peek at an issue beside it. Reloading the issue's URL shows its page instead. */
export default function IssuesLayout({ children, peek }: { children: ReactNode; peek: ReactNode }) {
  return (
    <ListActionsProvider changeIssues={changeIssues}>
      <div className="with-peek">
        {children}
        {peek}
      </div>
    </ListActionsProvider>
  )
}
