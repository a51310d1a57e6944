import type { Metadata } from 'next'
import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { listErasures } from '#domain/privacy/erasures.ts'
import { listScrubRules } from '#domain/privacy/scrub-rules.ts'
import { Section } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { NothingHere } from '../../nothing-here.tsx'
import { SettingsBody } from '../settings-body.tsx'
import { AddressForm } from './address-form.tsx'
import { DraftForm } from './draft-form.tsx'
import { EraseForm, ReceiptTable } from './erase-form.tsx'
import { type Draft, readDraft } from './read-draft.ts'
import { loadPreview, PreviewPanel } from './rule-preview.tsx'
import { RuleTable } from './rule-table.tsx'

export const metadata: Metadata = { title: 'Privacy' }

type Props = {
  params: Promise<{ org: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

/** What is removed before it is stored, for the organization or with `?project=` for one project; and what is deleted on request. */
export default async function PrivacyPage({ params, searchParams }: Props) {
  const viewer = await requireViewer((await params).org)
  const { slug } = viewer.organization
  const draft = readDraft(await searchParams)
  const project = viewer.projects.find(each => each.slug === draft.project) ?? null
  if (project === null && draft.project !== '')
    return <NothingHere organizationSlug={slug} kind="Project" name={draft.project} />
  const { rules, withoutAddresses } = await listScrubRules(viewer, project?.id)
  const shown =
    project === null ? rules : rules.filter(({ projectId }) => projectId === null || projectId === project.id)
  const mayWrite = {
    organization: mayDo(viewer.role, 'scrub-rule.organization'),
    project: mayDo(viewer.role, 'scrub-rule.project'),
  }
  const mayChangeHere = project === null ? mayWrite.organization : mayWrite.project
  const projects = viewer.projects.map(({ id, slug: name }) => ({ id, slug: name }))
  return (
    <SettingsBody viewer={viewer} here="Privacy">
      <Section title="IP addresses" note={project === null ? 'of all projects' : `of ${project.slug}`}>
        <AddressForm
          organizationSlug={slug}
          projectId={project?.id ?? null}
          isStored={!withoutAddresses.includes(project?.id ?? null)}
          isDecided={project !== null && withoutAddresses.includes(null)}
          mayWrite={mayChangeHere}
        />
      </Section>
      <Section title="Scrubbing rules" note="besides the built-in ones for passwords, tokens, cookies and card numbers">
        <RuleTable rules={shown} projects={projects} organizationSlug={slug} mayWrite={mayWrite} now={viewer.now} />
      </Section>
      {mayWrite.project ? (
        <Section title="New rule" id="new" note="see what it changes before it applies">
          <DraftForm draft={draft} projects={projects} path={`/${slug}/settings/privacy`} mayWrite={mayWrite} />
          {draft.isGiven ? (
            <Preview viewer={viewer} draft={draft} projectId={project?.id ?? null} isSavable={mayChangeHere} />
          ) : null}
        </Section>
      ) : null}
      {mayDo(viewer.role, 'user-data.delete') && project === null ? (
        <Section title="Delete a user’s data" id="erase" note="in all projects; can’t be undone">
          <EraseForm organizationSlug={slug} />
          <ReceiptTable receipts={await listErasures(viewer)} organizationSlug={slug} now={viewer.now} />
        </Section>
      ) : null}
    </SettingsBody>
  )
}

type PreviewProps = { viewer: Viewer; draft: Draft; projectId: number | null; isSavable: boolean }

async function Preview({ viewer, draft, projectId, isSavable }: PreviewProps) {
  const result = await attempt('preview of a scrubbing rule', loadPreview(viewer, draft, projectId))
  const target = { organizationSlug: viewer.organization.slug, projectId, isSavable }
  return <PreviewPanel result={result} draft={draft} now={viewer.now} {...target} />
}
