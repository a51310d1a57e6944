import type { Viewer } from '#domain/access/viewer.ts'
import { type FieldPreview, previewScrubRule, type RulePreview } from '#domain/privacy/preview-rule.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { DataTable } from '#ui/data-table.tsx'
import { formatCount } from '#ui/format.ts'
import { Notice } from '#ui/notice.tsx'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { faultMessage } from '#web/action-state.ts'
import type { attempt } from '#web/attempt.ts'
import { getScrubKey } from '#web/scrub-key.ts'
import styles from './privacy.module.css'
import type { Draft } from './read-draft.ts'
import { SaveRule } from './save-rule.tsx'

export const loadPreview = (viewer: Viewer, rule: Draft, projectId: number | null) =>
  previewScrubRule(viewer, { projectId, rule, hashKey: getScrubKey() })

type Props = {
  result: Awaited<ReturnType<typeof attempt<Awaited<ReturnType<typeof loadPreview>>>>>
  draft: Draft
  organizationSlug: string
  projectId: number | null
  isSavable: boolean
  now: number
}

/** What the rule would have changed in recent data. All of it is untrusted text. */
export function PreviewPanel({ result, draft, organizationSlug, projectId, isSavable, now }: Props) {
  if (!result.ok) return <FailedPanel what="The preview" reference={result.reference} />
  if (!result.value.ok) return <Notice kind="error">{faultMessage(result.value.code) ?? 'This rule can’t run.'}</Notice>
  const { preview } = result.value
  return (
    <div className={styles.preview}>
      <p className="t2" role="status">
        {summarize(preview)}
      </p>
      {preview.fields.length === 0 ? null : <FieldTable fields={preview.fields} now={now} />}
      {preview.moreFields === 0 ? null : <p className="t3">and {formatCount(preview.moreFields)} more</p>}
      {isSavable ? (
        <SaveRule
          organizationSlug={organizationSlug}
          projectId={projectId}
          path={draft.path}
          pattern={draft.pattern}
          action={draft.action}
        />
      ) : (
        <p className="t2">Only an owner can add rules for all projects. Choose a project, or ask an owner.</p>
      )}
    </div>
  )
}

const kinds = { error: 'errors', span: 'spans', log: 'logs', feedback: 'feedback' } as const

function summarize({ checked, changed }: RulePreview): string {
  const total = Object.values(checked).reduce((sum, count) => sum + count, 0)
  if (total === 0) return 'There is no recent data to try this rule on.'
  const parts = Object.entries(checked).flatMap(([kind, count]) =>
    count === 0 ? [] : [`${count} ${kinds[kind as keyof typeof kinds]}`],
  )
  return `Of the newest ${parts.join(', ')}, this rule would change ${changed === 0 ? 'none' : formatCount(changed)}.`
}

function FieldTable({ fields, now }: { fields: readonly FieldPreview[]; now: number }) {
  return (
    <DataTable label="Preview" columns={['In', 'Field', 'Before', 'After']}>
      {fields.map(({ kind, at, path, before, after }, index) => (
        <tr key={index}>
          <td className="t2">
            {kind} <Ago at={at} now={now} />
          </td>
          <td className="mono">{shorten(path, 80)}</td>
          <td className={`mono ${styles.value}`}>
            <del>{shorten(before, 200)}</del>
          </td>
          <td className={`mono ${styles.value}`}>
            {after === null ? <span className="t3">removed</span> : shorten(after, 200)}
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
