import type { ReactNode } from 'react'
import { changeIssues } from './actions.ts'
import { ListActionsProvider } from './list-actions.tsx'

/** The list, and beside it the issue that was opened from it. A reload of the issue's address gives its page. */
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
