import { may } from '#commands/permissions.ts'
import type { Viewer } from '#queries/viewer.ts'

export function mayWrite(viewer: Viewer): boolean {
  return may(viewer.role, 'issue:write')
}
