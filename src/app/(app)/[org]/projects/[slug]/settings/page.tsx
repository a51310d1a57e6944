import type { Metadata } from 'next'
import { hasSlug } from '#domain/access/find-projects.ts'
import { mayDo } from '#domain/access/permissions.ts'
import { listFilters } from '#domain/filters/filters.ts'
import { listTeams } from '#domain/members/teams.ts'
import { graceDays } from '#domain/projects/change-project.ts'
import { listProjectAudience, listProjectTeams } from '#domain/projects/project-access.ts'
import { drainAddress, listProjectKeys } from '#domain/projects/project-keys.ts'
import { getRuntime } from '#runtime.ts'
import { Link } from '#ui/link.tsx'
import { Facts, Section, TopBar, Trail } from '#ui/page-parts.tsx'
import { shorten } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import { getDrainSecret } from '#web/scrub-key.ts'
import { requireViewer } from '#web/viewer.ts'
import { titleFor } from '../../../../../title-for.ts'
import { NothingHere } from '../../../nothing-here.tsx'
import { KeyForm } from '../../../settings/key-form.tsx'
import { KeyTable } from '../../../settings/key-table.tsx'
import { SecretField } from '../../../settings/secret-field.tsx'
import { findAddressedProject } from '../find-addressed-project.ts'
import { AccessForm } from './access-form.tsx'
import { DeleteProjectForm, ProjectSettingsForm } from './project-settings-form.tsx'

type Props = { params: Promise<{ org: string; slug: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { org, slug } = await params
  return titleFor(org, ({ projects }) => (projects.some(project => hasSlug(project, slug)) ? ['Settings', slug] : null))
}

/** Everything that can be set for one project. */
export default async function ProjectSettingsPage({ params }: Props) {
  const { org, slug } = await params
  const viewer = await requireViewer(org)
  const project = await findAddressedProject(viewer, slug, '/settings')
  if (!project) return <NothingHere organizationSlug={org} kind="Project" name={slug} />
  const [keys, filters] = await Promise.all([listProjectKeys(viewer, project.id), listFilters(viewer, project.id)])
  const [teams, owners, audience] = await Promise.all([
    listTeams(viewer),
    listProjectTeams(viewer, project.id),
    listProjectAudience(viewer, project.id),
  ])
  const isPrivate = viewer.projects.some(({ id, isPrivate: is }) => id === project.id && is === true)
  const base = `/${viewer.organization.slug}/projects`
  const target = { organizationSlug: viewer.organization.slug, projectId: project.id }
  const drainKey = keys.find(({ isActive }) => isActive)
  const onCount = filters.filter(({ mode }) => mode !== 'off').length
  return (
    <>
      <TopBar>
        <Trail
          stops={[
            { href: base, label: 'Projects' },
            { href: `${base}/${project.slug}`, label: project.slug },
          ]}
          here="Settings"
        />
      </TopBar>
      <div className="page-body">
        <h1 className="sr">Settings of {project.name}</h1>
        <Section title="General">
          <Facts
            facts={[
              { label: 'ID', value: <span className="mono">{project.id}</span> },
              { label: 'Created', value: <Moment at={project.createdAt} /> },
            ]}
          />
          {mayDo(viewer.role, 'project.change') ? (
            <ProjectSettingsForm {...target} name={project.name} slug={project.slug} />
          ) : (
            <Facts
              facts={[
                { label: 'Name', value: project.name },
                { label: 'Slug', value: <span className="mono">{project.slug}</span> },
              ]}
            />
          )}
        </Section>
        <Section title="Keys" note="everything sent with a disabled key is rejected">
          <KeyTable
            keys={keys}
            projects={[project]}
            organizationSlug={viewer.organization.slug}
            mayWrite={mayDo(viewer.role, 'key.switch')}
          />
          {mayDo(viewer.role, 'key.create') ? (
            <KeyForm projects={[{ id: project.id, slug: project.slug }]} organizationSlug={viewer.organization.slug} />
          ) : null}
        </Section>
        {mayDo(viewer.role, 'key.create') && drainKey ? (
          <Section title="Vercel log drain" note="logs of functions, the edge and builds, without the SDK">
            <p className="t2">
              Create a custom drain for logs in Vercel with this address and this secret. The secret belongs to the key{' '}
              {shorten(drainKey.label, 60)}.
            </p>
            <div className="form wide below">
              <SecretField label="Address" text={drainAddress(getRuntime().config.publicUrl, drainKey)} />
              <SecretField label="Signature secret" text={getDrainSecret(drainKey.id)} />
            </div>
          </Section>
        ) : null}
        <Section
          title="Access"
          note={isPrivate ? `private: ${audience.length} of the members see it` : 'all members see it'}
        >
          {mayDo(viewer.role, 'project.access') ? (
            <AccessForm
              {...target}
              isPrivate={isPrivate}
              teams={teams.map(({ id, slug: name }) => ({
                id,
                slug: name,
                isOwner: owners.some(each => each.id === id),
              }))}
            />
          ) : (
            <p className="t2">
              {owners.length === 0 ? 'No team owns it.' : `Owned by ${owners.map(each => `#${each.slug}`).join(' ')}.`}
            </p>
          )}
          {isPrivate ? (
            <p className="t3">
              Seen by{' '}
              {audience
                .slice(0, 12)
                .map(({ name, email }) => name || email)
                .join(', ')}
              {audience.length > 12 ? ` and ${audience.length - 12} others` : ''}.
            </p>
          ) : null}
        </Section>
        <Section
          title="Filters"
          note={`${onCount} of ${filters.length} inbound filters on`}
          actions={
            <Link className="btn s" href={`${base}/${project.slug}/filters`}>
              Manage filters
            </Link>
          }
        >
          <p className="t2">Noise that is counted but not stored: extensions, bots, old browsers.</p>
        </Section>
        <Section
          title="Privacy"
          note="what is removed before it is stored"
          actions={
            <Link
              className="btn s"
              href={`/${viewer.organization.slug}/settings/privacy?project=${encodeURIComponent(project.slug)}`}
            >
              Manage privacy
            </Link>
          }
        >
          <p className="t2">Scrubbing rules and IP addresses of this project.</p>
        </Section>
        {mayDo(viewer.role, 'project.delete') && !project.isInternal ? (
          <Section title="Danger zone" id="danger">
            <DeleteProjectForm {...target} slug={project.slug} graceDays={graceDays} />
          </Section>
        ) : null}
      </div>
    </>
  )
}
