import type { ReactNode } from 'react'
import styles from './release.module.css'

export type NumberCard = {
  label: string
  value: ReactNode
  /** Worse than "good": the value is colored. */
  look?: string
  /** The value of the previous release. */
  was?: string | undefined
  note?: ReactNode
}

/** A row of numbers with what they were before. */
export function NumberStrip({ cards, label }: { cards: readonly NumberCard[]; label: string }) {
  return (
    <dl className={styles.strip} aria-label={label}>
      {cards.map(({ label: name, value, look = '', was, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span className={`${styles.value} ${look}`}>{value}</span>
            {was ? <span className="t3"> was {was}</span> : null}
          </dd>
          {note ? <dd className={`${styles.note} t3`}>{note}</dd> : null}
        </div>
      ))}
    </dl>
  )
}
