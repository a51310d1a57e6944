'use client'
import { Pause } from 'lucide-react'
import { describeRule } from '#domain/alerts/describe-rule.ts'
import type { ListedRule } from '#domain/alerts/list-rules.ts'
import { kindsOf } from '#domain/alerts/rule.ts'
import { describeWatch } from '#domain/alerts/watch-words.ts'
import { ConfirmButton, SubmitButton } from '#ui/buttons.tsx'
import { DataTable, numeric, stacked } from '#ui/data-table.tsx'
import { formatCount, formatLeft, formatMany } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { ActionForm } from '#ui/send/action-form.tsx'
import { useAction } from '#ui/send/use-action.ts'
import { shorten } from '#ui/shorten.ts'
import { Ago } from '#ui/time/ago.tsx'
import { ActionToast } from '#ui/toast/toast.tsx'
import { idle } from '#web/action-state.ts'
import { changeAlertRule } from './actions.ts'
import styles from './alerts.module.css'
import { RuleDays } from './rule-days.tsx'
import { WatchSign } from './watch-sign.tsx'

type Props = { rules: ListedRule[]; organizationSlug: string; now: number; mayWrite: boolean }

export function RuleTable({ rules, organizationSlug, now, mayWrite }: Props) {
  const [state, change] = useAction(changeAlertRule, idle)
  return (
    <>
      <DataTable
        label="Alert rules"
        look={`page ${styles.rules}`}
        isStacked
        columns={[
          'State',
          'Rule',
          'Now',
          'Last 14 days',
          'Sends to',
          numeric('Messages'),
          'Last message',
          ...(mayWrite ? [{ label: 'Actions', isHidden: true }] : []),
        ]}
      >
        {rules.map(rule => (
          <tr key={rule.id} {...stacked.row}>
            <td {...stacked.cell}>
              <RuleState rule={rule} now={now} />
            </td>
            <td {...stacked.cell} className={`prose ${styles.name}`}>
              <div className={styles.rule}>
                <Link href={`/${organizationSlug}/alerts/rules/${rule.id}`}>{shorten(rule.name, 100)}</Link>
                <span>
                  {rule.projectSlug === '' ? '' : `${rule.projectSlug}: `}
                  {shorten(describeRule(rule.config), 200)}
                </span>
              </div>
            </td>
            <td {...stacked.cell} className="prose">
              <RuleNow rule={rule} now={now} />
            </td>
            <td {...stacked.cell} data-label="Last 14 days">
              <RuleDays days={rule.days} label={formatMany(sum(rule.days), 'message')} />
            </td>
            <td {...stacked.cell} className="t2" data-label="Sends to">
              {rule.channels.length === 0 ? <span className="t3">no channel</span> : null}
              {shorten(rule.channels.map(({ name }) => name).join(', '), 60)}
            </td>
            <td {...stacked.cell} className="num" data-label="Messages">
              {formatCount(sum(rule.days))}
            </td>
            <td {...stacked.cell} className="t2" data-label="Last message">
              {rule.lastAt === null ? 'never' : <Ago at={rule.lastAt} now={now} />}
            </td>
            {mayWrite ? (
              <td {...stacked.cell} className={styles.actions}>
                <RuleActions rule={rule} organizationSlug={organizationSlug} change={change} />
              </td>
            ) : null}
          </tr>
        ))}
      </DataTable>
      <ActionToast state={state} />
    </>
  )
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

function RuleState({ rule, now }: { rule: ListedRule; now: number }) {
  const failing = rule.channels.filter(({ state }) => state !== 'active')
  if (!rule.isOn) return <span className={`${styles.state} t3`}>Off</span>
  if (rule.snoozedUntil !== null)
    return (
      <span className={`${styles.state} t3`}>
        <Pause className="i i-s" aria-hidden="true" /> Snoozed for {formatLeft(rule.snoozedUntil - now)}
      </span>
    )
  if (failing.length > 0)
    return (
      <span className={`${styles.state} ${styles.warning}`} title={failing.map(({ name }) => name).join(', ')}>
        <Level level="warning" /> Channel {failing[0]?.state}
      </span>
    )
  if (rule.watch !== null) return <WatchSign watch={rule.watch} />
  return (
    <span className={styles.state}>
      <Level level="ok" /> On
    </span>
  )
}

/** The number as it was judged last, and its limit. */
function RuleNow({ rule: { watch, config, isOn }, now }: { rule: ListedRule; now: number }) {
  if (config.metric === null || !isOn) return null
  if (watch === null) return <span className="t3">not evaluated yet</span>
  return (
    <div className={styles.rule}>
      <span className="t2">{describeWatch(config.metric, watch)}</span>
      <span>
        evaluated <Ago at={watch.judgedAt} now={now} />
      </span>
    </div>
  )
}

type ActionProps = { rule: ListedRule; organizationSlug: string; change: (form: FormData) => void }

function RuleActions({ rule, organizationSlug, change }: ActionProps) {
  const name = shorten(rule.name, 60)
  return (
    <span className="row-acts">
      {kindsOf(rule.config).length > 1 ? (
        <ActionForm action={change}>
          <input type="hidden" name="org" value={organizationSlug} />
          <input type="hidden" name="rule" value={rule.id} />
          <input type="hidden" name="change" value="split" />
          <ConfirmButton
            className="btn plain s"
            label={`Split ${name}`}
            query={`Split rule ${name}?`}
            effect="Each rule is then about issues, a count or a metric, with the same channels."
            verb="Split rule"
          >
            Split
          </ConfirmButton>
        </ActionForm>
      ) : null}
      <ActionForm action={change}>
        <input type="hidden" name="org" value={organizationSlug} />
        <input type="hidden" name="rule" value={rule.id} />
        <input type="hidden" name="change" value={rule.snoozedUntil === null ? 'snooze' : 'wake'} />
        <SubmitButton look="plain s">
          {rule.snoozedUntil === null ? 'Snooze' : 'Wake'}
          <span className="sr"> {name}</span>
        </SubmitButton>
      </ActionForm>
      <ActionForm action={change}>
        <input type="hidden" name="org" value={organizationSlug} />
        <input type="hidden" name="rule" value={rule.id} />
        <input type="hidden" name="change" value="delete" />
        <ConfirmButton
          className="btn plain s danger"
          label={`Delete ${name}`}
          query={`Delete rule ${name}?`}
          effect="It sends no more messages. Messages that were sent stay in the delivery log."
          verb="Delete rule"
        >
          Delete
        </ConfirmButton>
      </ActionForm>
    </span>
  )
}
