import type { Delivery } from '#domain/channels/list-channels.ts'
import { clipText } from '#lib/text.ts'
import { DataTable, numeric } from '#ui/data-table.tsx'
import { formatDuration } from '#ui/format.ts'
import { Level } from '#ui/level.tsx'
import { Link } from '#ui/link.tsx'
import { Moment } from '#ui/time/moment.tsx'
import styles from './channels.module.css'

const outcomes = {
  sent: { level: 'ok', label: 'Sent', style: styles.working },
  retry: { level: 'warning', label: 'Failed, retried', style: styles.retrying },
  rejected: { level: 'error', label: 'Rejected', style: styles.off },
  gone: { level: 'error', label: 'Refused, retried', style: styles.off },
  skipped: { level: 'info', label: 'Nothing to send', style: styles.working },
} as const

const failedTest = { level: 'error', label: 'Failed', style: styles.off } as const

/** Every attempt, newest first. Without `base`, the address of the list, the channel is known and has no column. */
export function DeliveryLog({ deliveries, base }: { deliveries: readonly Delivery[]; base?: string }) {
  if (deliveries.length === 0) return <p className="t2">No messages yet. Send a test to see how one arrives.</p>
  return (
    <DataTable
      label="Delivery log"
      columns={[
        'Time',
        'Result',
        'Message',
        ...(base === undefined ? [] : ['Channel']),
        numeric('Attempt'),
        'Answer',
        numeric('Took'),
      ]}
    >
      {deliveries.map(delivery => (
        <tr key={delivery.id}>
          <td className="mono t3">
            <Moment at={delivery.at} />
          </td>
          <td>
            <DeliveryResult outcome={delivery.outcome} isTest={delivery.messageId === null} />
          </td>
          <td>
            <div className={styles.title} title={delivery.title}>
              {delivery.title || '–'}
            </div>
          </td>
          {base === undefined ? null : (
            <td>
              <Link href={`${base}/${delivery.channelId}`}>{delivery.channel}</Link>
            </td>
          )}
          <td className="num t2">{delivery.attempt}</td>
          <td>
            <div className={styles.answer} title={delivery.response}>
              {answerOf(delivery)}
            </div>
          </td>
          <td className="num t2">{formatDuration(delivery.latencyMs * 1_000)}</td>
        </tr>
      ))}
    </DataTable>
  )
}

const answerOf = ({ status, response }: Delivery): string =>
  [status, clipText(response, 120)].filter(part => part !== null && part !== '').join(' ')

/** A test is not retried. */
function DeliveryResult({ outcome, isTest }: { outcome: Delivery['outcome']; isTest: boolean }) {
  const { level, label, style } = isTest && outcome === 'retry' ? failedTest : outcomes[outcome]
  return (
    <span className={`${styles.state} ${style}`}>
      <Level level={level} />
      {label}
    </span>
  )
}

/** The whole answer of the other side to one attempt. */
export function DeliveryAnswer({ delivery, kindLabel }: { delivery: Delivery; kindLabel: string }) {
  const isSent = delivery.outcome === 'sent'
  return (
    <div className={styles.result}>
      <header>
        <Level level={isSent ? 'ok' : 'error'} />
        {isSent ? `${kindLabel} accepted the message` : `${kindLabel} did not accept the message`}
        <span>
          {formatDuration(delivery.latencyMs * 1_000)}, <Moment at={delivery.at} />
        </span>
      </header>
      <pre>
        {[delivery.status, delivery.response].filter(part => part !== null && part !== '').join(' ') || 'No answer'}
      </pre>
    </div>
  )
}
