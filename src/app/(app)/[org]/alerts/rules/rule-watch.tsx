import type { RuleChart } from '#domain/alerts/chart-rule.ts'
import type { ListedRule } from '#domain/alerts/list-rules.ts'
import type { Metric } from '#domain/alerts/metric.ts'
import { describeLimit, formatMetric } from '#domain/alerts/metric-words.ts'
import { describeWatch } from '#domain/alerts/watch-words.ts'
import { axisTop } from '#ui/chart/axis.ts'
import { ChartFrame } from '#ui/chart/chart-frame.tsx'
import { Notice } from '#ui/notice.tsx'
import { Ago } from '#ui/time/ago.tsx'
import incident from '../incidents/incident.module.css'
import { WatchSign } from '../watch-sign.tsx'
import styles from './rule-watch.module.css'

type Props = { rule: ListedRule; metric: Metric; chart: RuleChart | null; warnings: readonly string[]; now: number }

/** Shows the current value of a rule, when it was evaluated, and a chart of the last 7 days. */
export function RuleWatchPanel({ rule, metric, chart, warnings, now }: Props) {
  const { watch } = rule
  return (
    <section className={styles.watch} aria-label="Current state">
      {warnings.map(warning => (
        <Notice key={warning} kind="warning">
          {warning}
        </Notice>
      ))}
      {watch === null ? (
        <p className="t2">
          {rule.isOn ? 'Not evaluated yet. The first evaluation is within two minutes.' : 'The rule is off.'}
        </p>
      ) : (
        <p>
          <WatchSign watch={watch} /> <span>{describeWatch(metric, watch)}</span>{' '}
          <span className="t3">
            evaluated <Ago at={watch.judgedAt} now={now} />
          </span>
        </p>
      )}
      {chart === null ? null : <RuleChartFigure chart={chart} rule={rule} metric={metric} />}
    </section>
  )
}

const height = 120

function RuleChartFigure({ chart, rule, metric }: { chart: RuleChart; rule: ListedRule; metric: Metric }) {
  const { from, to, stepMs, values } = chart
  const known = values.filter(value => value !== null)
  const isOwn = metric.compare === 'value'
  const limits = isOwn ? metric : rule.watch?.limits
  const lines = [
    { at: limits?.critical ?? null, look: incident.critical },
    { at: limits?.warning ?? null, look: incident.warning },
    { at: limits?.resolved ?? null, look: incident.ok },
  ].flatMap(({ at, look }) => (at === null || at < 0 ? [] : [{ at, look }]))
  const top = axisTop(Math.max(0, ...known, ...lines.map(({ at }) => at)))
  const y = (value: number) => (height - (value / top) * height).toFixed(1)
  const extreme = metric.direction === 'above' ? Math.max(...known) : Math.min(...known)
  const worst =
    known.length === 0
      ? 'No data in the last 7 days'
      : `${metric.direction === 'above' ? 'At most' : 'At least'} ${formatMetric(metric, extreme)} in the last 7 days`
  const words = `${worst}; critical ${metric.direction} ${describeLimit(metric, metric.critical)}`
  return (
    <figure className={incident.chart}>
      <ChartFrame
        label={`${rule.name} over the last 7 days`}
        {...{ from, to, stepMs, top }}
        formatY={value => formatMetric(metric, value)}
        readings={values.map(value => (value === null ? 'no data' : formatMetric(metric, value)))}
      >
        <svg viewBox={`0 0 ${values.length} ${height}`} preserveAspectRatio="none" role="img" aria-label={words}>
          {lines.map(({ at, look }, index) => (
            <line key={index} className={look} x1="0" x2={values.length} y1={y(at)} y2={y(at)} />
          ))}
          <path d={pathOf(values, y)} />
        </svg>
      </ChartFrame>
      <figcaption className="t3">
        {words}. {metric.direction === 'above' ? 'The highest' : 'The lowest'} value of each half hour
        {isOwn ? '' : '; lines are the limits of now'}.
      </figcaption>
    </figure>
  )
}

/** Draws a step for each value and leaves a gap for each null. */
const pathOf = (values: readonly (number | null)[], y: (value: number) => string): string =>
  values
    .map((value, index) => {
      if (value === null) return ''
      const joins = index > 0 && values[index - 1] !== null
      return `${joins ? 'L' : 'M'}${index} ${y(value)}h1`
    })
    .join('')
