import { explainLens } from '#queries/explain-lens.ts'
import type { StoredEvent } from '#queries/find-event.ts'
import type { Issue } from '#queries/find-issue.ts'
import type { Viewer } from '#queries/viewer.ts'
import { HydrationSections } from './hydration-sections.tsx'
import { ServerSection } from './server-section.tsx'
import { SkewSection } from './skew-section.tsx'
import { UserSawSection } from './user-saw-section.tsx'

type Props = { viewer: Viewer; issue: Issue; event: StoredEvent }

/** What an event means in a server-rendered React app, before its own words: nothing where it is an error like any other. */
export function LensSections({ viewer, issue, event }: Props) {
  const lens = explainLens(event.data)
  if (lens?.kind === 'hydration') return <HydrationSections lens={lens} />
  if (lens?.kind === 'skew') return <SkewSection viewer={viewer} issue={issue} lens={lens} />
  if (lens?.kind === 'echo') return <ServerSection viewer={viewer} issue={issue} event={event} digest={lens.digest} />
  const isOnServer = event.platform !== 'javascript'
  return isOnServer ? <UserSawSection viewer={viewer} issue={issue} event={event} /> : null
}
