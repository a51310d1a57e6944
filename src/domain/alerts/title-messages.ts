import type { Viewer } from '#domain/access/viewer.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { isObject } from '#lib/json-value.ts'
import { readLines } from './notifications.ts'
import { parseStoredMessage, type SingleMessage } from './stored-message.ts'

type Waiting = { id: string; message: unknown }

/** Titles of outbox messages that haven't been built yet. Viewers get only the titles of issues that they can see. */
export async function titleMessages(viewer: Viewer, rows: readonly Waiting[]): Promise<Map<string, string>> {
  const stored = rows.map(row => ({ ...row, parsed: parseStoredMessage(row.message) }))
  const singles = stored.flatMap(({ parsed }): SingleMessage[] =>
    parsed === null || parsed.kind === 'summary' ? [] : [parsed],
  )
  const lineOf = await readLines(viewer, singles)
  return new Map(
    stored.map(({ id, message, parsed }) => [
      id,
      parsed === null
        ? ownTitle(message)
        : parsed.kind === 'summary'
          ? `${formatWhole(parsed.items.length + parsed.more)} alerts in one message`
          : (lineOf(parsed)?.title ?? 'Deleted issue'),
    ]),
  )
}

const ownTitle = (message: unknown): string => {
  const own = isObject(message) ? message.own : undefined
  return own === 'summary'
    ? 'Summary of the alerts above the limit'
    : own === 'channel-disabled'
      ? 'A channel was switched off'
      : 'Alert'
}
