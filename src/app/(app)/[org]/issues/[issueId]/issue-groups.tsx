import { shorten } from '#ui/shorten.ts'
import { showHidden } from '#ui/show-hidden.ts'
import { GroupList } from './group-list.tsx'
import type { LoadedIssue } from './load-issue.ts'
import { mayUnmerge } from './may-write.ts'

export function IssueGroups({ loaded: { groups, issue, viewer } }: { loaded: LoadedIssue }) {
  return (
    <GroupList
      organizationSlug={viewer.organization.slug}
      issueId={issue.id}
      mayUnmerge={mayUnmerge(viewer)}
      now={viewer.now}
      groups={groups.map(({ version, hash, eventCount, lastSeen, home }) => ({
        id: `${version}:${hash}`,
        eventCount,
        lastSeen,
        home: home ? `${home.shortId}, ${showHidden(shorten(home.title, 120))}` : '',
      }))}
    />
  )
}
