import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { describeRule } from '#domain/alerts/describe-rule.ts'
import { type ListedRule, listRuleChannels } from '#domain/alerts/list-rules.ts'
import { metricPresets } from '#domain/alerts/metric-words.ts'
import type { RuleConfig } from '#domain/alerts/rule.ts'
import { listMembers } from '#domain/members/list-members.ts'
import { TopBar, Trail } from '#ui/page-parts.tsx'
import { RuleEditor } from './rule-editor.tsx'
import { fieldsOfRule } from './rule-form.ts'

type Props = {
  viewer: Viewer
  rule: ListedRule | null
  start: { name: string; config: RuleConfig; projectId: number | null }
}

/** The editor of a stored rule, or of a new one with these fields. */
export async function EditorPage({ viewer, rule, start }: Props) {
  const { slug } = viewer.organization
  const [channels, members] = await Promise.all([listRuleChannels(viewer), listMembers(viewer)])
  const title = rule?.name ?? 'New rule'
  const fresh = { ...start, isOn: true, ownerUserId: viewer.user.id, channels: [] }
  return (
    <>
      <TopBar>
        <h1 className="sr">{title}</h1>
        <Trail stops={[{ href: `/${slug}/alerts`, label: 'Alerts' }]} here={title} />
      </TopBar>
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
