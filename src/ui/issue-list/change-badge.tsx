import { Archive, Check, Plus, RotateCw, TrendingUp } from 'lucide-react'
import { formatCount } from '../format-count.ts'

const changes = {
  new: { look: 'new', word: 'New', Icon: Plus },
  regressed: { look: 'reg', word: 'Regressed', Icon: RotateCw },
  escalating: { look: 'esc', word: 'Escalating', Icon: TrendingUp },
  resolved: { look: 'ok', word: 'Resolved', Icon: Check },
  archived: { look: '', word: 'Archived', Icon: Archive },
} as const

type Props = {
  status: 'unresolved' | 'resolved' | 'archived'
  substatus: 'new' | 'ongoing' | 'regressed' | 'escalating'
  /** How many times its usual an escalating issue was. */
  times: number
}

/** One word a row: where it stands, or the worst that happened to it. What is going on as before has none. */
export function ChangeBadge({ status, substatus, times }: Props) {
  const name = status === 'unresolved' ? substatus : status
  if (name === 'ongoing') return null
  const { look, word, Icon } = changes[name]
  return (
    <span className={`badge ${look}`}>
      <Icon className="i i-s" aria-hidden="true" />
      {word}
      {name === 'escalating' && times > 1 ? ` ×${formatCount(times)}` : null}
    </span>
  )
}
