import { FailedPanel } from '#ui/failed-panel.tsx'
import { TagShares } from '#ui/issue/tag-shares.tsx'
import { Section } from '#ui/section.tsx'
import type { LoadedIssue } from './load-issue.ts'

export function IssueTags({ loaded: { shares, viewer } }: { loaded: LoadedIssue }) {
  if (!shares.ok) return <FailedPanel what="Tags" reference={shares.reference} />
  if (shares.value.length === 0) return null
  return (
    <Section id="tags" title="Tags" note="share of the newest 1,000 events; the tick is the project’s usual share">
      <TagShares shares={shares.value} href={`/${viewer.organization.slug}/issues`} />
    </Section>
  )
}
