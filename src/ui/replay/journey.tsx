import { formatWhole } from '#lib/format-whole.ts'
import { Level } from '../level.tsx'
import { Link } from '../link.tsx'
import { shorten } from '../shorten.ts'
import { ClockTime } from '../time/clock-time.tsx'
import { formatLength } from './format-offset.ts'
import styles from './journey.module.css'

export type JourneyStop = {
  replayId: string
  href: string
  startedAt: number
  endedAt: number
  /** The first page. */
  path: string
  errors: number
}

/** The replays of one visitor in the order of time: several tabs, or one tab after a break. */
export function Journey({ stops, here }: { stops: readonly JourneyStop[]; here: string }) {
  if (stops.length < 2) return null
  return (
    <nav className={styles.journey} aria-label="Journey of this visitor">
      <ol>
        {stops.map((stop, index) => (
          <li key={stop.replayId}>
            <Link href={stop.href} aria-current={stop.replayId === here ? 'page' : undefined}>
              <span className={styles.time}>
                <ClockTime at={stop.startedAt} />
                {isBeside(stop, stops[index - 1]) ? ' at the same time' : ''}
              </span>
              <span className={styles.path}>{shorten(stop.path, 60)}</span>
              <span className={styles.note}>
                {formatLength(stop.endedAt - stop.startedAt)}
                {stop.errors > 0 ? (
                  <>
                    {' '}
                    <Level level="error" /> {formatWhole(stop.errors)}
                  </>
                ) : null}
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const isBeside = ({ startedAt }: JourneyStop, before: JourneyStop | undefined): boolean =>
  before !== undefined && startedAt < before.endedAt
