import { z } from 'zod'
import type { IssueCursor } from '#queries/list-issues.ts'

const params = z.object({
  project: z.string().optional().catch(undefined),
  after: z.string().optional().catch(undefined),
})

/** What the address says about the list. Nonsense in it is left out, never an error. */
export function readIssueParams(raw: Record<string, string | string[] | undefined>) {
  const { project, after } = params.parse(raw)
  return { projectSlug: project, after: parseCursor(after) }
}

export function formatCursor({ lastSeen, id }: IssueCursor): string {
  return `${lastSeen}-${id}`
}

function parseCursor(text: string | undefined): IssueCursor | undefined {
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '')
  return match ? { lastSeen: Number(match[1]), id: Number(match[2]) } : undefined
}
