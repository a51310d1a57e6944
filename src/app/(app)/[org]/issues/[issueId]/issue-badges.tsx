import { Archive, Check, RotateCcw, Sparkles, TrendingUp, Zap } from 'lucide-react'
import type { IssueState } from '#queries/find-issue-state.ts'
import { formatCount } from '#ui/format-count.ts'

const changes = {
  new: { look: 'new', word: 'New', Icon: Sparkles },
  regressed: { look: 'reg', word: 'Regressed', Icon: RotateCcw },
  escalating: { look: 'esc', word: 'Escalating', Icon: TrendingUp },
} as const

/** The state in a word: resolved and archived with their terms, else what changed last. */
export function IssueBadges({ state }: { state: IssueState }) {
  const { status, substatus, terms, reopens, isUnhandled, timesUsual } = state
  const change = status === 'unresolved' && substatus !== 'ongoing' ? changes[substatus] : null
  return (
    <>
      {status === 'resolved' ? (
        <span className="badge ok">
          <Check className="i i-s" aria-hidden="true" />
          Resolved {terms}
        </span>
      ) : null}
      {reopens ? <span className="t3">{reopens}</span> : null}
      {status === 'archived' ? (
        <span className="badge">
          <Archive className="i i-s" aria-hidden="true" />
          Archived {terms}
        </span>
      ) : null}
      {change ? (
        <span className={`badge ${change.look}`}>
          <change.Icon className="i i-s" aria-hidden="true" />
          {change.word}
          {substatus === 'escalating' && timesUsual > 1 ? ` ×${formatCount(timesUsual)}` : null}
        </span>
      ) : null}
      {isUnhandled ? (
        <span className="badge">
          <Zap className="i i-s" aria-hidden="true" />
          Unhandled
        </span>
      ) : null}
    </>
  )
}
