import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { chartRule } from '#domain/alerts/chart-rule.ts'
import { describeRule } from '#domain/alerts/describe-rule.ts'
import { type ListedRule, listRuleChannels } from '#domain/alerts/list-rules.ts'
import { metricPresets } from '#domain/alerts/metric-words.ts'
import { measuredProjects, type RuleConfig } from '#domain/alerts/rule.ts'
import { findUnknownKeys } from '#domain/alerts/unknown-keys.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { Notice } from '#ui/notice.tsx'
import { TopBar, Trail } from '#ui/page-parts.tsx'
import { attempt } from '#web/attempt.ts'
import { RuleEditor } from './rule-editor.tsx'
import { fieldsOfRule } from './rule-form.ts'
import { RuleWatchPanel } from './rule-watch.tsx'

type Props = {
  viewer: Viewer
  rule: ListedRule | null
  start: { name: string; config: RuleConfig; projectId: number | null }
}

/** The editor of a stored rule, or of a new one with these fields. */
export async function EditorPage({ viewer, rule, start }: Props) {
  const { slug } = viewer.organization
  const [channels, members, watch] = await Promise.all([
    listRuleChannels(viewer),
    listMembers(viewer),
    rule && readWatch(viewer, rule),
  ])
  const title = rule?.name ?? 'New rule'
  const fresh = { ...start, isOn: true, ownerUserId: viewer.user.id, channels: [] }
  return (
    <>
      <TopBar>
        <h1 className="sr">{title}</h1>
        <Trail stops={[{ href: `/${slug}/alerts`, label: 'Alerts' }]} here={title} />
      </TopBar>
      {watch}
      <RuleEditor
        organizationSlug={slug}
        ruleId={rule?.id ?? null}
        values={fieldsOfRule(rule ?? fresh)}
        choices={{
          projects: viewer.projects.map(({ id, slug: name }) => ({ id, slug: name })),
          channels,
          members: members.map(({ id, name }) => ({ id, name })),
          presets: metricPresets.map(({ id, label }) => ({ id, label })),
        }}
        sentence={rule ? describeRule(rule.config) : null}
        mayWrite={mayDo(viewer.role, rule ? 'rule.change' : 'rule.create')}
      />
    </>
  )
}

/** How the number of a stored rule is, and what its words can't find. Without an answer of ClickHouse, the editor is there all the same. */
async function readWatch(viewer: Viewer, rule: ListedRule) {
  const { metric, environments } = rule.config
  const unknown = await attempt('words of a rule', findUnknownKeys(viewer, rule))
  const warnings = unknown.ok ? unknown.value.map(({ message }) => message) : []
  if (metric === null)
    return warnings.map(warning => (
      <Notice key={warning} kind="warning">
        {warning}
      </Notice>
    ))
  const watched = { metric, environments, projectIds: measuredProjects(rule, viewer.projects) }
  const chart = await attempt('rule chart', chartRule(viewer, watched))
  return <RuleWatchPanel {...{ rule, metric, warnings }} chart={chart.ok ? chart.value : null} now={viewer.now} />
}
