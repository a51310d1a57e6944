import type { Viewer } from '#domain/access/viewer.ts'
import { listEventLines } from '#domain/logs/find-log.ts'
import { lineAddress } from '#domain/logs/log-line.ts'
import { patternTag } from '#domain/logs/patterns/pattern-issue.ts'
import { clipText } from '#lib/text.ts'
import { fieldTerm, formatSearch } from '#search/search-term.ts'
import { FailedPanel } from '#ui/blank.tsx'
import { formatOffset } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { Section } from '#ui/page-parts.tsx'
import { showHidden } from '#ui/shorten.ts'
import { attempt } from '#web/attempt.ts'
import { traceSearch } from '../traces/[traceId]/trace-errors.tsx'
import styles from './logs.module.css'

type Props = { viewer: Viewer; event: { trace_id: string; timestamp: number; tags: Record<string, string> } }

const shownChars = 300

/** On the issue of a pattern: its lines are not events, so this is where they are counted. */
export function PatternLines({ viewer, event }: Props) {
  const pattern = event.tags[patternTag] ?? ''
  if (!/^[0-9a-f]{16}$/.test(pattern)) return null
  const search = new URLSearchParams({ q: formatSearch([fieldTerm('pattern', [pattern])]), range: '30d' })
  return (
    <p className="sec">
      Made from the log lines of a pattern: the event is the newest line at that time.{' '}
      <Link className="link" href={`/${viewer.organization.slug}/logs?${search}`}>
        All lines of the pattern
      </Link>
    </p>
  )
}

/** What the request of an event wrote to the log, before and after it. Nothing without a trace or a line. */
export async function EventLines({ viewer, event }: Props) {
  const found = await attempt('log lines of an event', listEventLines(viewer, event))
  if (!found.ok) return <FailedPanel what="Log lines" reference={found.reference} />
  if (found.value.length === 0) return null
  const base = `/${viewer.organization.slug}/logs`
  return (
    <Section
      id="logs"
      title="Log lines"
      note={`${found.value.length} of the same trace, times relative to the event`}
      actions={
        <Link className="link" href={`${base}?${traceSearch(event.trace_id.replaceAll('-', ''), event.timestamp)}`}>
          Open in logs
        </Link>
      }
    >
      <ol className={styles.context} aria-label="Log lines, oldest first">
        {found.value.map(line => (
          <li key={line.id}>
            <span className={styles.time}>{formatOffset(Math.round(line.atUs / 1_000 - event.timestamp))}</span>
            <Level level={line.level} />
            <Link className="cut" href={`${base}/${lineAddress(line)}`}>
              <bdi>{showHidden(clipText(line.body, shownChars)) || '(empty)'}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </Section>
  )
}
