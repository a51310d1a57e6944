import type { OutcomeTotal } from '#queries/list-outcomes.ts'
import { formatCount } from '#ui/format-count.ts'
import { outcomeLabel, outcomeWords } from '#ui/outcome-words.ts'

type Props = { arrivals: { kind: string; quantity: number }[]; outcomes: OutcomeTotal[]; isWaiting: boolean }
const maxOutcomes = 8

/** What has come in the last day besides errors, and what was refused and why: a refusal is never silent. */
export function ArrivalLog({ arrivals, outcomes, isWaiting }: Props) {
  return (
    <ol aria-label="Last 24 hours">
      {arrivals.map(({ kind, quantity }) => (
        <li key={kind}>
          <span className="good">ok</span>
          <span className="cut">
            {formatCount(quantity)} {kind}
            {quantity === 1 ? '' : 's'} received
          </span>
          <span className="t3">last 24 h</span>
        </li>
      ))}
      {outcomes.slice(0, maxOutcomes).map(({ category, outcome, reason, quantity }) => (
        <li key={`${category} ${outcome} ${reason}`}>
          <span className="meh">{outcomeLabel(outcome)}</span>
          <span className="cut">
            {formatCount(quantity)} × {category} {outcomeWords(outcome)}: {reason}
          </span>
          <span className="t3">last 24 h</span>
        </li>
      ))}
      {isWaiting ? (
        <li>
          <span className="t3">wait</span>
          <span className="cut">no error yet</span>
          <span />
        </li>
      ) : null}
    </ol>
  )
}
