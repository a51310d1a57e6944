'use client'
import { useEffect } from 'react'
import { keys } from '#ui/commands/keys.ts'
import { useCommands } from '#ui/commands/use-commands.ts'
import { recallNeighbor, rememberLookedAt } from '#ui/issue-list/list-memory.ts'
import { useNavigate } from '#ui/navigation.tsx'

/** The keys of the issue page for the next issue of the list that it was opened from. */
export function IssueKeys({ issueId }: { issueId: number }) {
  useEffect(() => rememberLookedAt(issueId), [issueId])
  const neighbor = (name: 'next' | 'previous', label: string, by: 1 | -1) => ({
    ...keys[name],
    id: `issue.${name}`,
    label,
    kind: 'move' as const,
    isAvailable: () => recallNeighbor(issueId, by) !== null,
    // A whole page, because the router would open it as a peek. It replaces this one, so that Back leads to the list.
    run() {
      const href = recallNeighbor(issueId, by)
      if (href) location.replace(href)
    },
  })
  useCommands([neighbor('next', 'Next issue', 1), neighbor('previous', 'Previous issue', -1)])
  return null
}

type EventKeysProps = { older: string | null; newer: string | null }

/** The keys for other events of the issue. */
export function EventKeys({ older, newer }: EventKeysProps) {
  const navigate = useNavigate()
  const event = (name: 'older' | 'newer', label: string, href: string | null) => ({
    ...keys[name],
    id: `issue.${name}`,
    label,
    kind: 'move' as const,
    isAvailable: () => href !== null,
    run: () => navigate(href ?? ''),
  })
  useCommands([event('older', 'Older event', older), event('newer', 'Newer event', newer)])
  return null
}
