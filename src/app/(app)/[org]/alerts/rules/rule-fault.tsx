import styles from '../alerts.module.css'

/** The message below a field with a fault. */
export function RuleFault({ name, faults }: { name: string; faults: Record<string, string> }) {
  return faults[name] ? (
    <p className={styles.fault} id={`${name}-fault`} role="alert">
      {faults[name]}
    </p>
  ) : null
}
