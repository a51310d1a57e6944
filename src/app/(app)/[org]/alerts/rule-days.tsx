import styles from './alerts.module.css'

/** Messages by day: a bar for each day with any. */
export function RuleDays({ days, label }: { days: readonly number[]; label: string }) {
  const most = Math.max(1, ...days)
  return (
    <svg
      className={styles.days}
      viewBox={`0 0 ${days.length * 8} 22`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line x1="0" x2={days.length * 8} y1="21.5" y2="21.5" />
      {days.map((count, index) =>
        count === 0 ? null : (
          <rect key={index} x={index * 8 + 2} width="4" y={21 - 20 * (count / most)} height={20 * (count / most)} />
        ),
      )}
    </svg>
  )
}
