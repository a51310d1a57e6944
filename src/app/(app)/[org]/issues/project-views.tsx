import type { ViewerProject } from '#queries/viewer.ts'
import { Link } from '#ui/link.tsx'

type Props = { organizationSlug: string; projects: readonly ViewerProject[]; current: string | undefined }

/** All projects or one, as links: the address is the state. */
export function ProjectViews({ organizationSlug, projects, current }: Props) {
  const base = `/${organizationSlug}/issues`
  return (
    <nav className="views" aria-label="Project">
      <Link href={base} aria-current={current === undefined ? 'page' : undefined}>
        All projects
      </Link>
      {projects.map(({ slug }) => (
        <Link key={slug} href={`${base}?project=${slug}`} aria-current={current === slug ? 'page' : undefined}>
          {slug}
        </Link>
      ))}
    </nav>
  )
}
