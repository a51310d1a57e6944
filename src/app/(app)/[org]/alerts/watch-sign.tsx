import { Minus } from 'lucide-react'
import type { RuleWatch } from '#domain/alerts/list-rules.ts'
import { watchStateOf, watchWords } from '#domain/alerts/watch-words.ts'
import { Level } from '#ui/level.tsx'
import styles from './alerts.module.css'

/** The state of a rule's number: a sign and a word. */
export function WatchSign({ watch }: { watch: RuleWatch }) {
  const state = watchStateOf(watch)
  if (state === 'no-data')
    return (
      <span className={`${styles.state} ${watch.severity === '' ? 't3' : styles.warning}`}>
        <Minus className="i i-s" aria-hidden="true" /> {watchWords[state]}
        {watch.severity === '' ? '' : ', incident open'}
      </span>
    )
  const look = { ok: '', failing: styles.failing, warning: styles.warning }[state]
  const level = { ok: 'ok', failing: 'error', warning: 'warning' } as const
  return (
    <span className={`${styles.state} ${look}`}>
      <Level level={level[state]} /> {watchWords[state]}
    </span>
  )
}
