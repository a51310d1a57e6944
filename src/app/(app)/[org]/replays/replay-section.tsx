import type { Viewer } from '#domain/access/viewer.ts'
import type { StoredEvent } from '#domain/events/find-event.ts'
import { findEventReplay } from '#domain/replays/find-event-replay.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import styles from '#ui/replay/clip.module.css'
import { ReplayClip } from '#ui/replay/clip.tsx'
import { attempt } from '#web/attempt.ts'

type Props = { viewer: Viewer; event: StoredEvent; isFeedback?: boolean }

/** What is played before an error, and before somebody writes. */
const beforeMs = { error: 5_000, feedback: 20_000 }

/** On the page of an issue: the seconds around the error, and what the user did before it. Nothing for events without a replay. */
export async function ReplaySection({ viewer, event, isFeedback = false }: Props) {
  const found = await attempt('replay of an event', findEventReplay(viewer, event))
  if (!found.ok) return <FailedPanel what="Replay" reference={found.reference} />
  if (found.value === null) return null
  if (found.value === 'missing')
    return (
      <Section id="replay" title="Replay">
        {/* As high as a replay, whose place it takes: what is below does not move. */}
        <div className={styles.clip}>
          <p className={`${styles.poster} ${styles.missing}`}>
            The visit was not recorded to its end, or its replay is not kept any more.
          </p>
        </div>
      </Section>
    )
  const { replay, at, lines } = found.value
  const path = `/${viewer.organization.slug}/replays/${replay.replayId}`
  const before = beforeMs[isFeedback ? 'feedback' : 'error']
  const seconds = (Math.max(0, at - before) / 1_000).toFixed(1)
  return (
    <Section
      id="replay"
      title="Replay"
      note={isFeedback ? 'from 20 s before sending' : '5 s before and after the error'}
      actions={
        <Link className="link" href={`${path}?t=${seconds}`}>
          Open full replay
        </Link>
      }
    >
      <div className={styles.clip}>
        <ReplayClip
          path={path}
          startedAt={replay.startedAt}
          durationMs={Math.max(1, replay.endedAt - replay.startedAt, at)}
          at={at}
          beforeMs={before}
        />
        <div>
          <h3 className={styles.head}>What the user did</h3>
          <ol className={styles.lines}>
            {lines.map((line, index) => (
              <DidLine key={index} line={line} />
            ))}
          </ol>
        </div>
      </div>
    </Section>
  )
}

/** `-5.2 s  Click button#pay`. */
function DidLine({ line }: { line: string }) {
  const [time = '', words = ''] = line.split(/ {2}(.*)/s)
  return (
    <li>
      <span>{time}</span>
      <span>{words}</span>
    </li>
  )
}
