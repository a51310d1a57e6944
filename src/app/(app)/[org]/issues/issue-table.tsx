import { type IssueCursor, listIssues } from '#queries/list-issues.ts'
import type { Viewer, ViewerProject } from '#queries/viewer.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { IssueList } from '#ui/issue-list.tsx'
import { Link } from '#ui/link.tsx'
import { attempt } from '#web/attempt.ts'
import { NoIssues } from './no-issues.tsx'
import { formatCursor } from './search-params.ts'

type Props = { viewer: Viewer; project: ViewerProject | undefined; after: IssueCursor | undefined }

export async function IssueTable({ viewer, project, after }: Props) {
  const page = await attempt('issues', listIssues(viewer, { projectId: project?.id, after }))
  if (!page.ok) return <FailedPanel what="Issues" reference={page.reference} />
  const { issues, next } = page.value
  const base = `/${viewer.organization.slug}/issues`
  if (issues.length === 0) return <NoIssues viewer={viewer} project={project} isLaterPage={after !== undefined} />
  const link = (cursor: IssueCursor) =>
    `${base}?${new URLSearchParams({ ...(project ? { project: project.slug } : {}), after: formatCursor(cursor) })}`
  return (
    <>
      <IssueList issues={issues.map(issue => ({ ...issue, href: `${base}/${issue.id}` }))} now={viewer.now} />
      <footer className="lfoot">
        <span>
          {issues.length} {issues.length === 1 ? 'issue' : 'issues'} on this page, newest first
        </span>
        <span className="pages">
          {after ? <Link href={project ? `${base}?project=${project.slug}` : base}>First page</Link> : null}
          {next ? (
            <Link className="btn s" href={link(next)} rel="next">
              Older issues
            </Link>
          ) : null}
        </span>
      </footer>
    </>
  )
}
