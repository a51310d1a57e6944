import type { Clause, Finding } from '#domain/findings/clause.ts'
import { Link } from '../link.tsx'
import styles from './finding-line.module.css'
import { formatPart, isName } from './format-finding.ts'

type Props = {
  finding: Finding
  /** Where the evidence of a clause is. */
  hrefOf(clause: Clause): string
}

/** A finding as a sentence; each clause links to its evidence. Without one nothing is shown. */
export function FindingLine({ finding, hrefOf }: Props) {
  if (finding.length === 0) return null
  return (
    <p className={styles.finding}>
      {finding.map((clause, index) => (
        <span key={clause.kind}>
          {index > 0 ? '; ' : null}
          <Link className={`${styles.clause} ${styles[clause.tone]}`} href={hrefOf(clause)}>
            <Words clause={clause} isFirst={index === 0} />
          </Link>
        </span>
      ))}
      .
    </p>
  )
}

function Words({ clause, isFirst }: { clause: Clause; isFirst: boolean }) {
  return clause.parts.map((part, index) => {
    const text = formatPart(part, isFirst && index === 0)
    return isName(part) ? (
      <bdi key={index} className="mono">
        {text}
      </bdi>
    ) : (
      <span key={index}>{text}</span>
    )
  })
}

/** The first clause in a table's row; the whole sentence is on the page that the row leads to. */
export function ShortFinding({ finding: [clause] }: { finding: Finding }) {
  if (!clause) return null
  return (
    <span className={`${styles.short} ${styles[clause.tone]}`}>
      <Words clause={clause} isFirst />
    </span>
  )
}
