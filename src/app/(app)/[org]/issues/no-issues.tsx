import type { Viewer, ViewerProject } from '#queries/viewer.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'

/** An empty list says why it is empty and what the next step is. */
export function NoIssues({
  viewer,
  project,
  isLaterPage,
}: {
  viewer: Viewer
  project: ViewerProject | undefined
  isLaterPage: boolean
}) {
  const base = `/${viewer.organization.slug}`
  const first = project ?? viewer.projects.find(({ isInternal }) => !isInternal)
  if (isLaterPage) {
    return (
      <Blank
        title="No older issues"
        actions={
          <Link className="btn" href={`${base}/issues`}>
            First page
          </Link>
        }
      >
        The list ends before this page.
      </Blank>
    )
  }
  if (project?.isInternal)
    return (
      <Blank title="Hydrant has no errors of its own">Its pages report here, through the same way as your apps.</Blank>
    )
  return (
    <Blank
      title={project ? `No issues in ${project.slug}` : 'No issues yet'}
      actions={
        first ? (
          <Link className="btn primary" href={`${base}/projects/${first.slug}`}>
            Connect {first.slug}
          </Link>
        ) : (
          <Link className="btn primary" href={`${base}/projects`}>
            Create a project
          </Link>
        )
      }
    >
      Errors become issues here as soon as an app sends them.
    </Blank>
  )
}
