import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { measureArtifacts } from '#domain/artifacts/list-uploads.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { listTeams } from '#domain/members/teams.ts'
import { listOutcomes } from '#domain/projects/list-outcomes.ts'
import { listProjectKeys } from '#domain/projects/project-keys.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { Section, TopBar } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { readTheme } from '#web/theme.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../title-for.ts'
import { AppearanceForm } from './appearance-form.tsx'
import { KeyForm } from './key-form.tsx'
import { KeyTable } from './key-table.tsx'
import { ArtifactUsage, MemberTable, OutcomeTable } from './member-table.tsx'
import { TeamForm, TeamTable } from './team-table.tsx'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Settings')

const dayMs = 24 * 60 * 60_000

export default async function SettingsPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const members = await listMembers(viewer)
  const teams = await listTeams(viewer)
  const keys = await listProjectKeys(viewer)
  const outcomes = await attempt('outcomes', listOutcomes(viewer, { since: viewer.now - dayMs }))
  const { choice, zone } = await readTimeZone()
  const artifacts = await measureArtifacts(viewer)
  return (
    <>
      <TopBar>
        <h1>Settings</h1>
        <span className="t3">{viewer.organization.name}</span>
      </TopBar>
      <div className="page-body">
        <Section title="Members" note={`your role: ${viewer.role}`}>
          <MemberTable members={members} />
        </Section>
        <Section title="Teams" note="assign issues to a team, and find them with assigned:#name">
          <TeamTable
            teams={teams}
            members={members}
            organizationSlug={viewer.organization.slug}
            mayWrite={mayDo(viewer.role, 'team.change') && mayDo(viewer.role, 'team.delete')}
          />
          {mayDo(viewer.role, 'team.create') ? <TeamForm organizationSlug={viewer.organization.slug} /> : null}
        </Section>
        <Section id="keys" title="Project keys" note="everything sent with a disabled key is rejected">
          <KeyTable
            keys={keys}
            projects={viewer.projects}
            organizationSlug={viewer.organization.slug}
            mayWrite={mayDo(viewer.role, 'key.switch')}
          />
          {mayDo(viewer.role, 'key.create') ? (
            <KeyForm projects={viewer.projects} organizationSlug={viewer.organization.slug} />
          ) : null}
        </Section>
        <Section
          title="Tokens"
          note="for builds, sentry-cli and agents"
          actions={
            <Link className="btn s" href={`/${viewer.organization.slug}/settings/tokens`}>
              Manage tokens
            </Link>
          }
        >
          <p className="t2">API access for builds and scripts</p>
        </Section>
        <Section
          title="Privacy"
          note="what is removed before it is stored"
          actions={
            <Link className="btn s" href={`/${viewer.organization.slug}/settings/privacy`}>
              Manage privacy
            </Link>
          }
        >
          <p className="t2">Scrubbing rules, IP addresses, and the deletion of a user’s data</p>
        </Section>
        <ArtifactUsage usage={artifacts} />
        <Section title="Dropped and rejected" note="last 24 hours">
          {outcomes.ok ? (
            <OutcomeTable outcomes={outcomes.value} projects={viewer.projects} />
          ) : (
            <FailedPanel what="Outcomes" reference={outcomes.reference} />
          )}
        </Section>
        <AppearanceForm theme={await readTheme()} times={choice} zone={zone} />
      </div>
    </>
  )
}
