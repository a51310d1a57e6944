'use server'
import { forbidden, redirect } from 'next/navigation'
import { z } from 'zod'
import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type DrawnPreview, drawPreview } from '#domain/alerts/draw-preview.ts'
import { findRule } from '#domain/alerts/list-rules.ts'
import { type PreviewInput, previewRule } from '#domain/alerts/preview-rule.ts'
import { deleteRule, type RuleInput, saveRule, snoozeRule } from '#domain/alerts/save-rule.ts'
import { splitRule } from '#domain/alerts/split-rule.ts'
import { findUnknownKeys, type UnknownKey } from '#domain/alerts/unknown-keys.ts'
import { whileRequestLasts } from '#lib/read-signal.ts'
import type { TurnedAway } from '#lib/submission.ts'
import { getRuntime } from '#runtime.ts'
import { faultMessage } from '#web/action-state.ts'
import { attempt } from '#web/attempt.ts'
import { commandContext, defineAction } from '#web/define-action.ts'
import { formId } from '#web/form-number.ts'
import { once } from '#web/once.ts'
import { answered } from '#web/turned-away.ts'
import { requireViewer } from '#web/viewer.ts'
import type { EditorState } from './rules/editor-state.ts'
import { readRuleForm, valuesOf } from './rules/rule-form.ts'

const dayMs = 86_400_000

/** Snoozes a rule for a day, wakes it, deletes it, or makes one of each of its kinds. */
export const changeAlertRule = defineAction(
  {
    input: z.object({ rule: formId, change: z.enum(['snooze', 'wake', 'delete', 'split']) }),
    verb: {
      among: ['rule.snooze', 'rule.delete', 'rule.change'],
      chosen: ({ change }) =>
        change === 'delete' ? 'rule.delete' : change === 'split' ? 'rule.change' : 'rule.snooze',
    },
  },
  async (context, { rule: ruleId, change }, viewer) => {
    const named = { organizationId: viewer.organization.id, scope: viewer.projects.map(({ id }) => id), ruleId }
    const result =
      change === 'delete'
        ? await deleteRule(context, named)
        : change === 'split'
          ? await splitRule(context, named)
          : await snoozeRule(context, { ...named, until: change === 'snooze' ? context.now() + dayMs : null })
    return result.ok ? { ...result, change } : result
  },
  ({ change }) => ({
    say:
      change === 'delete'
        ? 'Rule deleted.'
        : change === 'split'
          ? 'Rule split.'
          : change === 'snooze'
            ? 'Rule snoozed for a day.'
            : 'Rule sends messages again.',
  }),
)

/** One form with two buttons: a preview on real data, and save. Both keep what was entered. */
export async function submitRule(previous: EditorState, form: FormData): Promise<EditorState | TurnedAway> {
  return answered(form, () => editRule(previous, form))
}

async function editRule(previous: EditorState, form: FormData): Promise<EditorState> {
  const viewer = await requireViewer(String(form.get('org') ?? ''))
  if (!mayDo(viewer.role, 'rule.create') || !mayDo(viewer.role, 'rule.change')) forbidden()
  const next = { version: previous.version + 1, values: valuesOf(form), faults: {}, message: '', preview: null }
  const read = readRuleForm(form)
  if (!read.ok) return { ...next, faults: read.faults, message: 'Check the marked fields.' }
  const { ruleId, ...input } = read.input
  if (form.get('do') === 'preview') {
    const preview = await attempt(
      'rule preview',
      whileRequestLasts(() => runPreview(viewer, { ...input, ruleId })),
    )
    return preview.ok
      ? { ...next, preview: preview.value }
      : { ...next, message: 'The preview failed or took too long. Try again.' }
  }
  const unknown = await findNewUnknownKeys(viewer, read.input)
  if (unknown.length > 0)
    return {
      ...next,
      message: 'Check the marked fields.',
      faults: Object.fromEntries(unknown.map(each => [each.in === 'filter' ? 'filter' : 'metricQuery', each.message])),
    }
  const within = { organizationId: viewer.organization.id, scope: viewer.projects.map(({ id }) => id) }
  const context = await commandContext(viewer)
  const saved = await once(form, context.actor, () => saveRule(context, { ...input, ruleId, ...within }))
  if (saved.ok) redirect(`/${viewer.organization.slug}/alerts`)
  const message = faultMessage(saved.code) ?? 'The rule could not be saved.'
  const field = fieldOfFault[saved.code]
  return { ...next, message, faults: field === undefined ? {} : { [field]: message } }
}

/** A rule that is stored keeps its words: a tag may be rare. Without an answer of the database, nothing is refused. */
async function findNewUnknownKeys(
  viewer: Viewer,
  { ruleId, config, projectId }: RuleInput & { ruleId: number | null },
): Promise<UnknownKey[]> {
  const stored = ruleId === null ? null : await findRule(viewer, ruleId)
  const isNew = {
    filter: stored?.config.filter !== config.filter,
    query: stored?.config.metric?.query !== config.metric?.query,
  }
  if (!isNew.filter && !isNew.query) return []
  const found = await attempt('words of a rule', findUnknownKeys(viewer, { config, projectId }))
  return found.ok ? found.value.filter(each => isNew[each.in]) : []
}

async function runPreview(
  viewer: Viewer,
  input: PreviewInput & { channelIds: readonly number[]; name: string },
): Promise<DrawnPreview> {
  const { publicUrl, mail } = getRuntime().config
  const { channelIds, name } = input
  const mailFrom = mail?.from ?? 'Hydrant'
  return drawPreview(viewer, await previewRule(viewer, input), { channelIds, name, publicUrl, mailFrom })
}

const fieldOfFault: Record<string, string | undefined> = {
  rule_name_missing: 'name',
  rule_name_taken: 'name',
  rule_without_trigger: 'when',
  rule_filter_invalid: 'filter',
  rule_metric_invalid: 'metricQuery',
  project_not_found: 'project',
  member_not_found: 'owner',
  channel_not_found: 'channel',
  rule_follows_mail_only: 'channel',
}
