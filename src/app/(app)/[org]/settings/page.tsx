import type { Metadata } from 'next'
import { mayDo } from '#commands/permissions.ts'
import { listMembers } from '#queries/list-members.ts'
import { listOutcomes } from '#queries/list-outcomes.ts'
import { listProjectKeys } from '#queries/list-project-keys.ts'
import { listTeams } from '#queries/list-teams.ts'
import { measureArtifacts } from '#queries/releases/measure-artifacts.ts'
import { FailedPanel } from '#ui/failed-panel.tsx'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/section.tsx'
import { TopBar } from '#ui/top-bar.tsx'
import { attempt } from '#web/attempt.ts'
import { readTheme } from '#web/theme.ts'
import { requireViewer } from '#web/viewer.ts'
import { AppearanceForm } from './appearance-form.tsx'
import { ArtifactUsage } from './artifact-usage.tsx'
import { KeyForm } from './key-form.tsx'
import { KeyTable } from './key-table.tsx'
import { MemberTable } from './member-table.tsx'
import { OutcomeTable } from './outcome-table.tsx'
import { TeamForm } from './team-form.tsx'
import { TeamTable } from './team-table.tsx'

export const metadata: Metadata = { title: 'Settings' }

const dayMs = 24 * 60 * 60_000

export default async function SettingsPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const members = await listMembers(viewer)
  const teams = await listTeams(viewer)
  const keys = await listProjectKeys(viewer)
  const outcomes = await attempt('outcomes', listOutcomes(viewer, { since: viewer.now - dayMs }))
  const artifacts = await measureArtifacts(viewer)
  return (
    <>
      <TopBar>
        <h1>Settings</h1>
        <span className="t3">{viewer.organization.name}</span>
      </TopBar>
      <div className="page-body">
        <Section title="Members" note={`you are ${viewer.role}`}>
          <MemberTable members={members} />
        </Section>
        <Section title="Teams" note="issues can be assigned to them, and found by assigned:#name">
          <TeamTable
            teams={teams}
            members={members}
            organizationSlug={viewer.organization.slug}
            mayWrite={mayDo(viewer.role, 'team.change') && mayDo(viewer.role, 'team.delete')}
          />
          {mayDo(viewer.role, 'team.create') ? <TeamForm organizationSlug={viewer.organization.slug} /> : null}
        </Section>
        <Section title="Project keys" note="a key that is off refuses everything sent with it">
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
              Tokens
            </Link>
          }
        >
          <p className="t2">What reaches this organisation without signing in.</p>
        </Section>
        <ArtifactUsage usage={artifacts} />
        <Section title="Not kept" note="last 24 hours, by the hour">
          {outcomes.ok ? (
            <OutcomeTable outcomes={outcomes.value} projects={viewer.projects} />
          ) : (
            <FailedPanel what="Outcomes" reference={outcomes.reference} />
          )}
        </Section>
        <AppearanceForm theme={await readTheme()} />
      </div>
    </>
  )
}
