import type { ListedChannel } from '#domain/channels/list-channels.ts'
import { formatAge } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import styles from './channels.module.css'

type Props = { state: ListedChannel['state'] }

const looks = {
  active: { level: 'ok', label: 'Working', style: styles.working },
  failing: { level: 'warning', label: 'Retrying', style: styles.retrying },
  disabled: { level: 'error', label: 'Off', style: styles.off },
} as const

/** Sign and word. */
export function ChannelState({ state }: Props) {
  const { level, label, style } = looks[state]
  return (
    <span className={`${styles.state} ${style}`}>
      <Level level={level} />
      {label}
    </span>
  )
}

type Line = Pick<ListedChannel, 'state' | 'target' | 'disabledReason' | 'lastError' | 'nextAt' | 'project'>

/** The line below the name: where it sends, or what is wrong. */
export function channelLine({ state, target, disabledReason, lastError, nextAt, project }: Line, now: number): string {
  if (state === 'disabled') return disabledReason || 'Off'
  if (state === 'failing' && nextAt !== null) {
    const wait = nextAt <= now ? 'next try now' : `next try in ${formatAge(nextAt - now)}`
    return [lastError, wait].filter(Boolean).join(', ')
  }
  return [target, project === null ? '' : `only ${project}`].filter(Boolean).join(' · ')
}
