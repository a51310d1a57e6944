import type { Issue } from '#queries/find-issue.ts'
import { shorten } from '#ui/shorten.ts'

/** The same error in the project that the other side reports to. A plain link: within issues, the router opens a peek, which is for lists. */
export function TwinIssue({ says, issue, href }: { says: string; issue: Issue; href: string }) {
  return (
    <p className="t2 mb-2">
      {says}{' '}
      <a className="link" href={href}>
        <span className="mono">{issue.shortId}</span> {shorten(issue.title, 160)}
      </a>
    </p>
  )
}
