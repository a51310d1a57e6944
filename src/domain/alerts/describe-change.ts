/** Why a message is sent, in words. Frozen when the rule matches: by the time the message is read, numbers have moved on. */

import type { Viewer } from '#domain/access/viewer.ts'
import type { ReadChange } from '#domain/issues/change-log/read-changes.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { timeInWords } from '#lib/time-words.ts'

const dayMs = 86_400_000

export async function describeChange(viewer: Viewer, change: ReadChange): Promise<string> {
  const { kind, detail, at } = change
  if (kind === 'new') return describeNew(viewer, change)
  if (kind === 'regressed') return describeRegression(viewer, change)
  if (kind === 'escalating') return describeEscalation(detail.events, detail.usual)
  if (kind === 'resolved' || kind === 'assigned') return `${kind} by ${await nameActor(viewer, change.actor)}`
  return `changed ${new Date(at).toISOString()}`
}

async function describeNew(viewer: Viewer, { projectId, detail: { release = '' }, at }: ReadChange): Promise<string> {
  if (release === '') return 'seen for the first time'
  return `first seen in ${await describeRelease(viewer, { projectId, release, at })}`
}

/** `web@1.4.2, 3 minutes after its deploy`: how long after is news for a day. */
export async function describeRelease(
  viewer: Viewer,
  { projectId, release, at }: { projectId: number; release: string; at: number },
): Promise<string> {
  const deploy = await viewer.control
    .within([projectId])
    .deploys()
    .innerJoin('release_project', 'release_project.release_id', 'release.id')
    .select('deploy.finished_at as at')
    .where('release_project.project_id', '=', projectId)
    .where('release.version', '=', release)
    .where('deploy.finished_at', '<=', at)
    .orderBy('deploy.finished_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const isRecent = deploy !== undefined && at - deploy.at < dayMs
  return `${release}${isRecent ? `, ${timeInWords(at - deploy.at)} after its deploy` : ''}`
}

async function describeRegression(viewer: Viewer, change: ReadChange): Promise<string> {
  const { release = '' } = change.detail
  const resolved = await viewer.control
    .within([change.projectId])
    .issueActivity()
    .select('at')
    .where('issue_id', '=', change.issueId)
    .where('kind', '=', 'resolved')
    .where('at', '<=', change.at)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const after = resolved ? `, ${timeInWords(change.at - resolved.at)} after it was resolved` : ' after it was resolved'
  return `seen again${release === '' ? '' : ` in ${release}`}${after}`
}

function describeEscalation(events: number | undefined, usual: number | undefined): string {
  if (events === undefined) return 'more events than usual'
  const count = formatWhole(Math.round(events))
  return usual === undefined
    ? `${count} events this hour`
    : `${count} events this hour, usually at most ${formatWhole(Math.round(usual))}`
}

async function nameActor(viewer: Viewer, actor: string): Promise<string> {
  if (actor.startsWith('user:')) {
    const member = await viewer.control
      .members()
      .select('user.name')
      .where('user.id', '=', actor.slice('user:'.length))
      .executeTakeFirst()
    return member?.name ?? 'a former member'
  }
  return actor.startsWith('token:') ? 'an API token' : 'Hydrant'
}
