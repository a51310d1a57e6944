import styles from '../alerts.module.css'
import { DurationOptions } from './duration-options.tsx'
import type { EditorChoices } from './editor-state.ts'
import { comparisons } from './metric-choices.ts'

const windows = [1, 5, 10, 15, 30, 60, 120, 240, 1_440].map(
  minutes => [minutes, minutes < 60 ? `${minutes} min` : `${minutes / 60} h`] as const,
)

type Field = { name: string; defaultValue: string; className: string }
type Props = { input: (name: string, look?: string) => Field; presets: EditorChoices['presets'] }

/** The number that a rule watches, and its limits. */
export function MetricFields({ input, presets }: Props) {
  const present = input('metricOf').defaultValue
  const isOwn = present !== '' && !presets.some(({ id }) => id === present)
  return (
    <div className={`${styles.lines} ${styles.choice}`}>
      <div className={styles.line}>
        <select {...input('metricOf')} aria-label="Number">
          <option value="">Choose a metric…</option>
          {isOwn ? <option value={present}>{present.replace(/^\w+ /, '')}</option> : null}
          {presets.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        <span className={`${styles.line} ${styles.rest}`}>
          of
          <input
            {...input('metricQuery', 'mono')}
            aria-label="Rows"
            placeholder="route:/checkout span.op:http.server"
            spellCheck={false}
          />
          in
          <select {...input('metricMinutes')} aria-label="Minutes">
            <DurationOptions choices={windows} present={input('metricMinutes').defaultValue} />
          </select>
        </span>
      </div>
      <div className={`${styles.line} ${styles.rest}`}>
        <select {...input('metricCompare')} aria-label="Comparison">
          {comparisons.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </select>
        <input {...input('metricCritical', styles.number)} aria-label="Critical" inputMode="decimal" /> critical
        <input {...input('metricWarning', styles.number)} aria-label="Warning" inputMode="decimal" /> warning
        <input {...input('metricResolved', styles.number)} aria-label="Resolved" inputMode="decimal" /> resolved
        <span>
          for <input {...input('metricFor', styles.number)} aria-label="For minutes" inputMode="numeric" /> min
        </span>
        <span>
          with <input {...input('metricLeast', styles.number)} aria-label="At least rows" inputMode="numeric" /> rows or
          more
        </span>
      </div>
      <div className={`${styles.line} ${styles.rest}`}>
        Without data for
        <input
          {...input('metricNoDataAfter', styles.number)}
          aria-label="Minutes without data"
          inputMode="numeric"
          placeholder="auto"
        />
        min
        <select {...input('metricNoData')} aria-label="Without data">
          <option value="resolve">resolve an open incident</option>
          <option value="alert">open an incident</option>
          <option value="keep">change nothing</option>
        </select>
        <span className="t3">auto: the window, 10 min at least</span>
      </div>
      <span className={`t3 ${styles.rest}`}>
        Rates in %, durations in ms. The usual is that of the same hour of the week; 4 to 6 spreads are much.
      </span>
    </div>
  )
}
