import type { Issue } from './find-issue.ts'

/** Parts of every question about an issue's events. The table is ordered by project, hash and time: this is one short range each. */
export const eventScope = `
  project_id = {projectId:UInt64}
  AND group_hash IN {hashes:Array(String)}
  AND events.timestamp >= fromUnixTimestamp64Milli({from:Int64})
  AND events.timestamp <= fromUnixTimestamp64Milli({to:Int64})`

export function eventScopeParams(issue: Issue) {
  return { projectId: issue.projectId, hashes: issue.hashes, from: issue.firstSeen, to: issue.lastSeen }
}
