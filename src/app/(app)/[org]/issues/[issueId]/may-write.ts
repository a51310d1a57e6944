import { mayDo } from '#commands/permissions.ts'
import type { Viewer } from '#queries/viewer.ts'

export const mayWrite = (viewer: Viewer): boolean => mayDo(viewer.role, 'issue.resolve')
export const mayComment = (viewer: Viewer): boolean => mayDo(viewer.role, 'issue.comment')
export const mayUnmerge = (viewer: Viewer): boolean => mayDo(viewer.role, 'issue.unmerge')
