import type { IncidentChart as Chart } from '#domain/alerts/chart-incident.ts'
import type { ListedIncident } from '#domain/alerts/list-incidents.ts'
import type { Metric } from '#domain/alerts/metric.ts'
import { describeLimit, formatMetric } from '#domain/alerts/metric-words.ts'
import { axisTop } from '#ui/chart/axis.ts'
import { ChartFrame } from '#ui/chart/chart-frame.tsx'
import styles from './incident.module.css'

type Props = { chart: Chart; incident: ListedIncident; metric: Metric; now: number }
const height = 120

/** The number over time, with its limits and the time in which the incident was open. */
export function IncidentChart({ chart, incident, metric, now }: Props) {
  const { from, to, stepMs, values, band } = chart
  const limits = metric.compare === 'value' ? [metric.critical, metric.warning, metric.resolved] : []
  const known = limits.filter(limit => limit !== null)
  const top = axisTop(Math.max(...values, ...known, ...(band ?? []).map(each => each?.high ?? 0)))
  const y = (value: number) => (height - (value / top) * height).toFixed(1)
  const x = (at: number) => (Math.min(1, Math.max(0, (at - from) / (to - from))) * values.length).toFixed(2)
  const [begin, end] = [x(incident.openedAt), x(incident.closedAt ?? now)]
  const words = `At most ${formatMetric(metric, Math.max(...values))}; critical ${metric.direction} ${describeLimit(metric, metric.critical)}`
  return (
    <figure className={styles.chart}>
      <ChartFrame
        label={`${incident.name} over time`}
        {...{ from, to, stepMs, top }}
        formatY={value => formatMetric(metric, value)}
        readings={values.map(value => formatMetric(metric, value))}
      >
        <svg viewBox={`0 0 ${values.length} ${height}`} preserveAspectRatio="none" role="img" aria-label={words}>
          <rect
            className={styles.open}
            x={begin}
            width={Math.max(0.2, Number(end) - Number(begin))}
            y="0"
            height={height}
          />
          {band === null ? null : <path className={styles.band} d={bandPath(band, y)} />}
          {metric.compare === 'value' ? (
            <>
              <line
                className={styles.critical}
                x1="0"
                x2={values.length}
                y1={y(metric.critical)}
                y2={y(metric.critical)}
              />
              {metric.warning === null ? null : (
                <line
                  className={styles.warning}
                  x1="0"
                  x2={values.length}
                  y1={y(metric.warning)}
                  y2={y(metric.warning)}
                />
              )}
              {metric.resolved === null ? null : (
                <line className={styles.ok} x1="0" x2={values.length} y1={y(metric.resolved)} y2={y(metric.resolved)} />
              )}
            </>
          ) : null}
          <path d={values.map((value, index) => `${index === 0 ? 'M' : 'L'}${index} ${y(value)}h1`).join('')} />
        </svg>
      </ChartFrame>
      <figcaption className="t3">
        {words}. The shaded time is the incident{band === null ? '' : ', the gray band what is usual'}.
      </figcaption>
    </figure>
  )
}

/** A box for each step whose usual values are known. */
const bandPath = (band: NonNullable<Chart['band']>, y: (value: number) => string): string =>
  band
    .map((each, index) => (each === null ? '' : `M${index} ${y(each.low)}H${index + 1}V${y(each.high)}H${index}Z`))
    .join('')
