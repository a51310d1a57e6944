import styles from '../alerts.module.css'
import { DurationOptions } from './duration-options.tsx'
import type { EditorChoices, RuleValues } from './editor-state.ts'
import { MetricFields } from './metric-fields.tsx'
import { RuleFault } from './rule-fault.tsx'

type Field = { name: string; defaultValue: string; className: string }
type Props = {
  values: RuleValues
  faults: Record<string, string>
  presets: EditorChoices['presets']
  input: (name: string, look?: string) => Field
  text: (name: string) => string
  has: (name: string, value: string) => boolean
}

const kinds = [
  ['issue', 'Issues'],
  ['count', 'Events or users of an issue'],
  ['metric', 'A metric'],
] as const

const triggers = [
  ['new-issue', 'A new issue is seen'],
  ['regression', 'A resolved issue comes back'],
  ['escalation', 'An issue escalates'],
  ['resolved', 'An issue is resolved'],
  ['incident', 'Any incident opens or closes'],
] as const

const windows = [
  [1, '1 minute'],
  [5, '5 minutes'],
  [15, '15 minutes'],
  [60, '1 hour'],
  [1_440, '1 day'],
  [10_080, '1 week'],
] as const

/** The rule has one kind, and only its fields are shown and kept. A stored rule with several kinds shows all fields. */
export function RuleKindFields({ values, faults, presets, input, text, has }: Props) {
  const hasSeveral = values.kind === ''
  return (
    <div className={styles.kinds} data-several={hasSeveral ? '' : undefined}>
      {hasSeveral ? (
        <span className="t3">
          This rule is about several things. To change each by itself, split it in the list of rules.
          <input type="hidden" name="kind" value="" />
        </span>
      ) : (
        <div role="radiogroup" aria-label="Kind of rule" className={styles.line}>
          {kinds.map(([value, label]) => (
            <label key={value} className={styles.check}>
              <input type="radio" name="kind" value={value} defaultChecked={values.kind === value} />
              {label}
            </label>
          ))}
        </div>
      )}
      <RuleFault name="kind" faults={faults} />
      <div className={styles.ofIssue}>
        {triggers.map(([value, label]) => (
          <label key={value} className={styles.check}>
            <input className="check" type="checkbox" name="when" value={value} defaultChecked={has('when', value)} />
            {label}
          </label>
        ))}
        <RuleFault name="when" faults={faults} />
      </div>
      <div className={styles.ofCount}>
        <div className={styles.line}>
          <select {...input('countOf')} aria-label="Count">
            {hasSeveral ? <option value="">No count</option> : null}
            <option value="events">Events in an issue</option>
            <option value="users">Users affected by an issue</option>
          </select>
          above
          <input {...input('countAbove', styles.number)} aria-label="Above" inputMode="numeric" />
          in
          <select {...input('countMinutes')} aria-label="Within">
            <DurationOptions choices={windows} present={text('countMinutes')} />
          </select>
          and
          <input {...input('countPercent', styles.number)} aria-label="Percent more" inputMode="numeric" />% more than
          in the window before
        </div>
        {text('moreCounts') === '' ? null : (
          <span className="t3">
            The rule has more counts, which only a file of rules can change; they stay.
            <input type="hidden" name="moreCounts" value={text('moreCounts')} />
          </span>
        )}
        <RuleFault name="countAbove" faults={faults} />
        <RuleFault name="countPercent" faults={faults} />
      </div>
      <div className={styles.ofMetric}>
        <MetricFields input={input} presets={presets} />
        <RuleFault name="metricOf" faults={faults} />
        <RuleFault name="metricCritical" faults={faults} />
        <RuleFault name="metricQuery" faults={faults} />
        <RuleFault name="metricMinutes" faults={faults} />
        <RuleFault name="metricNoDataAfter" faults={faults} />
      </div>
    </div>
  )
}
