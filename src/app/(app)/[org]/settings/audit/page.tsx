import { Download } from 'lucide-react'
import type { Metadata } from 'next'
import { may } from '#domain/access/permissions.ts'
import { listAudit, listAuditSubjects } from '#domain/audit/list-audit.ts'
import { type Verification, verifyViewedChain } from '#domain/audit/verify-audit.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { GetForm } from '#ui/get-form.tsx'
import { Link } from '#ui/link.tsx'
import { Notice } from '#ui/notice.tsx'
import { Section } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { requireViewer } from '#web/viewer.ts'
import { ForbiddenHere } from '../../../../forbidden-card.tsx'
import { listTitle } from '../../../../title-for.ts'
import { IgnoredNote } from '../../ignored-note.tsx'
import { SettingsBody } from '../settings-body.tsx'
import styles from './audit.module.css'
import { AuditTable } from './audit-table.tsx'
import { auditRanges, readAuditParams } from './search-params.ts'

export const generateMetadata = ({ params }: { params: Promise<{ org: string }> }): Promise<Metadata> =>
  listTitle(params, 'Audit log')

const dayMs = 86_400_000

type Search = Promise<Record<string, string | string[] | undefined>>
type Props = { params: Promise<{ org: string }>; searchParams: Search }

export default async function AuditPage({ params, searchParams }: Props) {
  const viewer = await requireViewer((await params).org)
  if (!may(viewer.role, 'audit:read')) return <ForbiddenHere viewer={viewer} permission="audit:read" />
  const subjects = await listAuditSubjects(viewer)
  const read = readAuditParams(await searchParams, subjects)
  const { q, subject, days, before } = read
  const from = days === 0 ? 0 : viewer.now - days * dayMs
  const { entries, hasMore } = await listAudit(viewer, { text: q, subject, from, before })
  const base = `/${viewer.organization.slug}/settings/audit`
  const kept = { q, subject, days: String(days) }
  return (
    <SettingsBody viewer={viewer} here="Audit log">
      <Section
        title="Audit log"
        note="who changed what, from where"
        actions={
          <a className="btn s" href={`${base}/export`} download>
            <Download className="i i-s" aria-hidden="true" />
            Export
          </a>
        }
      >
        {read.ignored.length > 0 ? (
          <div className={styles.ignored}>
            <IgnoredNote viewer={viewer} params={read} />
          </div>
        ) : null}
        <search>
          <GetForm className={styles.filter} action={base}>
            <input
              className="inp"
              type="search"
              name="q"
              aria-label="Search the audit log"
              placeholder="name, action, address"
              defaultValue={q}
              maxLength={200}
            />
            <select className="inp" name="subject" aria-label="Subject" defaultValue={subject}>
              <option value="">All actions</option>
              {subjects.map(each => (
                <option key={each} value={each}>
                  {each.replaceAll('_', ' ')}
                </option>
              ))}
            </select>
            <select className="inp" name="days" aria-label="Time" defaultValue={days}>
              {auditRanges.map(range => (
                <option key={range.days} value={range.days}>
                  {range.label}
                </option>
              ))}
            </select>
            <button type="submit" className="btn">
              Search
            </button>
          </GetForm>
        </search>
        <AuditTable entries={entries} />
        {hasMore ? (
          <p className={styles.more}>
            <Link
              className="btn s"
              href={`${base}?${new URLSearchParams({ ...kept, before: String(entries.at(-1)?.id) })}`}
            >
              Older entries
            </Link>
          </p>
        ) : null}
        {read.isVerified ? (
          <ChainState result={await attempt('audit chain', verifyViewedChain(viewer))} />
        ) : (
          <p className={styles.more}>
            <Link className="btn plain s" href={`${base}?${new URLSearchParams({ ...kept, verify: '1' })}`}>
              Verify that no entry was changed or removed
            </Link>
          </p>
        )}
      </Section>
    </SettingsBody>
  )
}

type Attempted = { ok: true; value: Verification } | { ok: false; reference: string }

function ChainState({ result }: { result: Attempted }) {
  if (!result.ok) return <Notice kind="error">{`The chain could not be verified (${result.reference}).`}</Notice>
  const { entries, erased, unchained, fault } = result.value
  if (fault !== null)
    return (
      <Notice kind="error">
        {`The chain is broken at entry ${fault.position}: it was changed, or entries were removed. Compare with an export or a backup.`}
      </Notice>
    )
  const notes = [
    ...(erased > 0 ? [`${erased} with erased personal fields`] : []),
    ...(unchained > 0 ? [`${unchained} older than the chain and not covered`] : []),
  ]
  return (
    <Notice kind="ok">
      {`${formatWhole(entries)} entries verified, none changed or removed${notes.length > 0 ? `; ${notes.join(', ')}` : ''}.`}
    </Notice>
  )
}
