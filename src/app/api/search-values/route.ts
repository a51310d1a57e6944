import type { Viewer } from '#domain/access/viewer.ts'
import {
  listSearchAssignees,
  listSearchProjects,
  listSearchValues,
  listTagKeys,
} from '#domain/issues/list-search-values.ts'
import { suggestMentions } from '#domain/members/list-mentionable.ts'
import { requireViewer } from '#web/viewer.ts'

const maxChars = 200 // longer keys and prefixes are not worth a suggestion

/** Suggestions for the search box: values of `key`, or tag names without a key. For comments: whom to mention. */
export async function GET(request: Request): Promise<Response> {
  const search = new URL(request.url).searchParams
  const viewer = await requireViewer(search.get('org') ?? '')
  const key = (search.get('key') ?? '').slice(0, maxChars)
  const prefix = (search.get('prefix') ?? '').slice(0, maxChars)
  const given = search.get('of')
  const of = given === 'spans' || given === 'logs' || given === 'replays' ? given : 'issues'
  const isMention = given === 'mentions'
  const values = await (isMention ? suggestMentions(viewer, prefix) : read(viewer, of, key, prefix))
  return Response.json(values, { headers: { 'Cache-Control': 'private, max-age=30' } })
}

function read(viewer: Viewer, of: 'issues' | 'spans' | 'logs' | 'replays', key: string, prefix: string) {
  if (key === '') return listTagKeys(viewer, of, prefix)
  if (key === 'project') return listSearchProjects(viewer, prefix)
  if (of === 'issues' && key === 'assigned') return listSearchAssignees(viewer, prefix)
  return listSearchValues(viewer, { of, key: of === 'issues' && key === 'firstRelease' ? 'release' : key, prefix })
}
