import styles from './loading-lines.module.css'

/** Stands for text that is on its way. It appears with a delay, so that fast answers don't flash. */
export function LoadingLines() {
  return (
    <div className={styles.lines} role="status" aria-label="Loading">
      <span />
      <span />
      <span />
    </div>
  )
}
