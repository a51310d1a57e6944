'use client'
/**
 * The list's own action, given by the layout that list, peek and page share. With the peek open the browser is at the issue's address and
 * posts there; were the action known to the list's page alone, Next would hand the post over to that page and lose the list on the way.
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
  if (action === null) throw new Error('the issue list is drawn outside of its layout')
  return action
}
