import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { ProjectSummary } from '#domain/projects/list-projects.ts'
import { Link } from '#ui/link.tsx'
import { UploadTokenForm } from './upload-token-form.tsx'

/** The token of a build, where the files of the build are shown. A personal one if the viewer may not create one of the organization. */
export function UploadToken({ viewer, project }: { viewer: Viewer; project: ProjectSummary }) {
  const { slug } = viewer.organization
  if (!mayDo(viewer.role, 'release.upload'))
    return <p className="note">You may not upload. Ask a member, admin or owner for a token.</p>
  const isShared = mayDo(viewer.role, 'token.create')
  const isPrivate = viewer.projects.some(({ id, isPrivate: is }) => id === project.id && is === true)
  return (
    <div className="note">
      <UploadTokenForm
        organizationSlug={slug}
        name={`Builds of ${project.slug}`}
        kind={isShared ? 'organization' : 'personal'}
        seesPrivate={isShared && isPrivate}
      />
      <p>
        It can upload source maps and manage releases{isShared ? '' : ', and ends when you leave the organization'}.{' '}
        <Link className="link" href={`/${slug}/settings/tokens`}>
          All tokens
        </Link>
      </p>
    </div>
  )
}
