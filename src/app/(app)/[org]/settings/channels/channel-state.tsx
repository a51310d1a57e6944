import type { ListedChannel } from '#domain/channels/list-channels.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { formatAge, formatLeft } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import styles from './channels.module.css'

type Props = { condition: ListedChannel['condition'] }

const looks = {
  working: { level: 'ok', label: 'Working', style: styles.working },
  waiting: { level: 'warning', label: 'Behind', style: styles.retrying },
  retrying: { level: 'warning', label: 'Retrying', style: styles.retrying },
  failing: { level: 'warning', label: 'Failing', style: styles.retrying },
  off: { level: 'error', label: 'Off', style: styles.off },
} as const

/** Sign and word. */
export function ChannelState({ condition }: Props) {
  const { level, label, style } = looks[condition]
  return (
    <span className={`${styles.state} ${style}`}>
      <Level level={level} />
      {label}
    </span>
  )
}

/** `1,647 messages wait, the oldest for 12 min`. */
export function waitingLine({ count, since }: ListedChannel['waiting'], now: number): string {
  if (count === 0 || since === null) return ''
  const age = `for ${formatAge(Math.max(0, now - since))}`
  return count === 1 ? `1 message waits ${age}` : `${formatWhole(count)} messages wait, the oldest ${age}`
}

type Line = Pick<
  ListedChannel,
  'condition' | 'target' | 'disabledReason' | 'lastError' | 'nextAt' | 'retryAt' | 'project' | 'waiting'
>

/** The line below the name: where it sends, or what is wrong. */
export function channelLine(channel: Line, now: number): string {
  const { condition, target, disabledReason, lastError, nextAt, retryAt, project } = channel
  const waits = waitingLine(channel.waiting, now)
  if (condition === 'off')
    return [disabledReason || 'Off', retryAt > 0 && waits !== '' ? 'tried once a day' : '', waits]
      .filter(Boolean)
      .join(', ')
  if (condition === 'retrying' && nextAt !== null) {
    const wait = nextAt <= now ? 'next try now' : `next try in ${formatLeft(nextAt - now)}`
    return [lastError, wait, waits].filter(Boolean).join(', ')
  }
  if (condition === 'failing') return 'The last message was not delivered'
  return [condition === 'waiting' ? waits : '', target, project === null ? '' : `only ${project}`]
    .filter(Boolean)
    .join(' · ')
}
