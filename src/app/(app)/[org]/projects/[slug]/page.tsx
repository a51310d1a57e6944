import type { Metadata } from 'next'
import { hasSlug } from '#domain/access/find-projects.ts'
import { listProjectKeys, projectDsn } from '#domain/projects/project-keys.ts'
import { getRuntime } from '#runtime.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { Step, TopBar, Trail } from '#ui/page-parts.tsx'
import { listSnippets } from '#ui/snippets/list-snippets.ts'
import { SnippetTabs } from '#ui/snippets/snippet-tabs.tsx'
import { requireViewer } from '#web/viewer.ts'
import { titleFor } from '../../../../title-for.ts'
import { NothingHere } from '../../nothing-here.tsx'
import { findAddressedProject } from './find-addressed-project.ts'
import { FirstEvent } from './first-event.tsx'
import { UploadToken } from './upload-token.tsx'

type Props = {
  params: Promise<{ org: string; slug: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, slug } = await params
  return titleFor(org, ({ projects }) => (projects.some(project => hasSlug(project, slug)) ? [slug, 'Projects'] : null))
}

export default async function ProjectPage({ params, searchParams }: Props) {
  const { org, slug } = await params
  const viewer = await requireViewer(org)
  const project = await findAddressedProject(viewer, slug)
  if (!project) return <NothingHere organizationSlug={org} kind="Project" name={slug} />
  const key = (await listProjectKeys(viewer, project.id)).find(({ isActive }) => isActive)
  const { sdk, file } = await searchParams
  const { publicUrl } = getRuntime().config
  const base = `/${viewer.organization.slug}`
  const hasArrived = project.eventCount > 0
  const connection = key && {
    dsn: projectDsn(publicUrl, key.publicKey, project.id),
    publicUrl,
    publicKey: key.publicKey,
    projectId: project.id,
    organization: viewer.organization.slug,
    project: project.slug,
  }
  return (
    <>
      <TopBar
        actions={
          <>
            <Link className="btn plain" href={`${base}/projects/${project.slug}/settings`}>
              Settings
            </Link>
            <Link className="btn plain" href={`${base}/issues?project=${project.slug}`}>
              View issues
            </Link>
          </>
        }
      >
        <Trail stops={[{ href: `${base}/projects`, label: 'Projects' }]} here={project.slug} />
      </TopBar>
      <div className="onb">
        <h1>{hasArrived ? `${project.name} is sending events` : 'Send your first event'}</h1>
        <p className="t2">
          {hasArrived
            ? 'The setup below stays valid.'
            : 'Takes about three minutes. Any Sentry SDK works; only the DSN changes.'}
        </p>
        {hasArrived ? <FirstEvent viewer={viewer} project={project} step={null} /> : null}
        {connection ? (
          <>
            <Step number={1} title="Point the SDK at this server">
              <p>The key can only write events. It is safe to ship in a browser bundle.</p>
              <div className="copy">
                <span className="cut">{connection.dsn}</span>
                <CopyButton text={connection.dsn} label="Copy DSN" />
              </div>
            </Step>
            <Step number={2} title="Initialize the SDK">
              <SnippetTabs
                sets={listSnippets(connection)}
                sdk={text(sdk)}
                file={text(file)}
                path={`${base}/projects/${project.slug}`}
                token={<UploadToken viewer={viewer} project={project} />}
              />
            </Step>
          </>
        ) : (
          <Step number={1} title="Enable a key">
            <Notice kind="warning">
              This project has no active key, so everything sent to it is rejected.{' '}
              <Link className="link" href={`${base}/projects/${project.slug}/settings`}>
                Enable one in its settings.
              </Link>
            </Notice>
          </Step>
        )}
        {hasArrived ? null : <FirstEvent viewer={viewer} project={project} step={connection ? 3 : 2} />}
      </div>
    </>
  )
}

const text = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)
