import { Suspense, useState } from 'react'
import type { DrawnMessage, DrawnPreview } from '#domain/alerts/draw-preview.ts'
import { timeInWords } from '#lib/time-words.ts'
import { formatCount, formatMany } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { lazyPart } from '#ui/send/lazy-part.ts'
import { shorten } from '#ui/shorten.ts'
import { Moment } from '#ui/time/moment.tsx'
import styles from '../alerts.module.css'
import { RuleDays } from '../rule-days.tsx'

/** Only who runs a preview needs it. */
const MessageDrawing = lazyPart(async () => ({ default: (await import('./message-drawing.tsx')).MessageDrawing }))

const minuteMs = 60_000

type Props = { preview: DrawnPreview | null; organizationSlug: string }

/** What the rule would have sent in the last two weeks. */
export function RulePreviewPanel({ preview, organizationSlug }: Props) {
  return (
    <section className={styles.preview} aria-live="polite" aria-label="Preview">
      <h2>Preview</h2>
      {preview === null ? (
        <p className="t2">
          Preview runs the rule over the last 14 days of real data and shows each message that it would have sent.
        </p>
      ) : (
        <>
          <Messages preview={preview} organizationSlug={organizationSlug} />
          {preview.blindMs > 0 ? (
            <p className="t3">
              Hydrant did not accept data for a part of this time. For {timeInWords(preview.blindMs)}, its number could
              not be judged in full.
            </p>
          ) : null}
          {preview.stepMs > minuteMs ? (
            <p className="t3">
              There is a lot of data, so the preview looks at its number every {timeInWords(preview.stepMs)}. The rule
              does every minute.
            </p>
          ) : null}
        </>
      )}
    </section>
  )
}

function Messages({ preview, organizationSlug }: { preview: DrawnPreview; organizationSlug: string }) {
  const { channels, lanes } = preview
  const [chosen, choose] = useState(0)
  // Another preview may have other channels.
  const channel = channels.find(({ id }) => id === chosen) ?? channels[0]
  // Pagers hear of each end by itself, so they get other messages than chats.
  const lane = lanes.find(({ channelIds }) => channelIds.includes(channel?.id ?? 0)) ?? lanes[0]
  const { messages, total, days } = lane ?? { messages: [], total: 0, days: [] }
  if (lanes.every(each => each.total === 0))
    return (
      <p>
        <strong>Would have sent nothing in the last 14 days.</strong>
      </p>
    )
  return (
    <>
      <p>
        <strong>Would have sent {formatMany(total, 'message')} in the last 14 days.</strong>
      </p>
      <RuleDays days={days} label={`${formatMany(total, 'message')} in 14 days`} />
      {channel === undefined ? (
        <p className="t3">Choose a channel to see how it shows the messages.</p>
      ) : (
        <fieldset className={styles.channels}>
          <legend className="sr">Draw messages as</legend>
          {channels.map(({ id, name, label }) => (
            <label key={id}>
              <input type="radio" checked={id === channel.id} onChange={() => choose(id)} />
              <span title={label}>{shorten(name, 40)}</span>
            </label>
          ))}
        </fieldset>
      )}
      <ul className={styles.messages} aria-label="Messages it would have sent">
        {messages.map(message => (
          <li key={`${message.at} ${message.issueId} ${message.title}`}>
            <Moment at={message.at} />
            <Message message={message} channelId={channel?.id ?? 0} organizationSlug={organizationSlug} />
          </li>
        ))}
      </ul>
      {total > messages.length ? (
        <p className="t3">and {formatMany(total - messages.length, 'older message')}</p>
      ) : null}
    </>
  )
}

const severities = { critical: styles.critical, warning: styles.warn, info: styles.info }

type MessageProps = { message: DrawnMessage; channelId: number; organizationSlug: string }

function Message({ message, channelId, organizationSlug }: MessageProps) {
  const { title, detail, severity, issueId, items, more, drawings } = message
  const found = drawings.find(drawn => drawn.channelId === channelId)
  const line = (
    <div className={`${styles.card} ${severities[severity]}`}>
      {issueId === null ? (
        <span>{shorten(title, 160)}</span>
      ) : (
        <Link href={`/${organizationSlug}/issues/${issueId}`}>{shorten(title, 160)}</Link>
      )}
      <p>{shorten(detail, 200)}</p>
      {items.length > 0 ? (
        <ul aria-label="In the same message">
          {items.map((item, index) => (
            <li key={index}>{shorten(item, 120)}</li>
          ))}
          {more > 0 ? <li>and {formatCount(more)} more</li> : null}
        </ul>
      ) : null}
    </div>
  )
  if (found === undefined) return line
  return (
    <Suspense fallback={line}>
      <MessageDrawing drawing={found.drawing} />
    </Suspense>
  )
}
