'use client'
/**
 * Provides the list's server action from the layout that list, peek and page share. With the peek open the browser posts to the issue's
 * URL. If only the list page imported the action, Next would forward the post to that page and the list would be lost.
 */
import { createContext, type ReactNode, useContext } from 'react'
import type { changeIssues } from './actions.ts'

type ChangeIssues = typeof changeIssues

const ListActions = createContext<ChangeIssues | null>(null)

export function ListActionsProvider({ changeIssues, children }: { changeIssues: ChangeIssues; children: ReactNode }) {
  return <ListActions value={changeIssues}>{children}</ListActions>
}

export function useChangeIssues(): ChangeIssues {
  const action = useContext(ListActions)
  if (action === null) throw new Error('IssueBoard must be rendered inside ListActionsProvider')
  return action
}
