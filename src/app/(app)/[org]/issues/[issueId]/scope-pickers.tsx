import type { Viewer } from '#domain/access/viewer.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { EnvironmentPicker, TimePicker } from '../../pickers.tsx'
import { type IssueScope, issueHref } from './search-params.ts'

type Props = { viewer: Viewer; issue: Issue; scope: IssueScope; rest: string }

/** Environment and time of the events that the page counts and shows. */
export function ScopePickers({ viewer, issue, scope, rest }: Props) {
  const href = (change: Partial<IssueScope>) =>
    issueHref(viewer.organization.slug, issue.id, { ...scope, ...change }, rest)
  return (
    <div className="pickers">
      <EnvironmentPicker viewer={viewer} value={scope.environment} href={environment => href({ environment })} />
      <TimePicker
        value={scope.span ?? scope.range}
        href={range => href({ range, span: undefined })}
        spanHref={href({ span: { from: 1, to: 2 }, range: undefined })}
        allLabel="All time"
      />
    </div>
  )
}
