import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import { measureArtifacts } from '#domain/artifacts/list-uploads.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { listOutcomes } from '#domain/projects/list-outcomes.ts'
import { listProjectKeys } from '#domain/projects/project-keys.ts'
import { findTwoFactorStart } from '#domain/sign-in/second-factor.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { readTheme } from '#web/theme.ts'
import { readTimeZone } from '#web/time-zone.ts'
import { requireViewer } from '#web/viewer.ts'
import { listTitle } from '../../../title-for.ts'
import { AppearanceForm } from './appearance-form.tsx'
import { KeyForm } from './key-form.tsx'
import { KeyTable } from './key-table.tsx'
import { SettingsBody } from './settings-body.tsx'
import { TwoFactorForm } from './two-factor-form.tsx'
import { ArtifactUsage, OutcomeTable } from './usage-tables.tsx'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Settings')

const dayMs = 24 * 60 * 60_000

export default async function SettingsPage({ params }: { params: Promise<{ org: string }> }) {
  const viewer = await requireViewer((await params).org)
  const members = await listMembers(viewer)
  const keys = await listProjectKeys(viewer)
  const twoFactorFrom = await findTwoFactorStart(viewer)
  const outcomes = await attempt('outcomes', listOutcomes(viewer, { since: viewer.now - dayMs }))
  const { choice, zone } = await readTimeZone()
  const artifacts = await measureArtifacts(viewer)
  return (
    <SettingsBody viewer={viewer} here="General">
      <Section
        title="Members"
        note={`${formatWhole(members.length)}, your role: ${viewer.role}`}
        actions={
          <Link className="btn s" href={`/${viewer.organization.slug}/settings/members`}>
            Manage members
          </Link>
        }
      >
        <p className="t2">
          {members
            .slice(0, 5)
            .map(({ name, email }) => name || email)
            .join(', ')}
          {members.length > 5 ? ' and others' : ''}
        </p>
      </Section>
      <Section title="Two-factor authentication" note="your own is on your account page">
        <TwoFactorForm
          organizationSlug={viewer.organization.slug}
          requirement={requirementOf(twoFactorFrom, viewer.now)}
          mayChange={mayDo(viewer.role, 'organization.require_two_factor')}
        />
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
      <ArtifactUsage usage={artifacts} />
      <Section title="Dropped and rejected" note="last 24 hours">
        {outcomes.ok ? (
          <OutcomeTable outcomes={outcomes.value} projects={viewer.projects} />
        ) : (
          <FailedPanel what="Outcomes" reference={outcomes.reference} />
        )}
      </Section>
      <AppearanceForm theme={await readTheme()} times={choice} zone={zone} />
    </SettingsBody>
  )
}

const requirementOf = (from: number | null, now: number) =>
  from === null ? 'off' : from <= now ? 'on' : { date: new Date(from).toISOString().slice(0, 10) }
