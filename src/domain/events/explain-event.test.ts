import { expect, it } from 'vitest'
import { groupEvent } from '#grouping/group-event.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { explainEvent } from './explain-event.ts'

const message =
  'An error occurred in the Server Components render. The specific message is omitted in production builds to avoid leaking sensitive details.'
const event = {
  event_id: 'a'.repeat(32),
  timestamp: 1,
  platform: 'javascript',
  level: 'error',
  tags: {},
  contexts: {},
  exception: { values: [{ type: 'Error', value: message, stacktrace: { frames: [] } }] },
} as unknown as StoredEvent // as much of one as grouping reads
const { version, hash } = groupEvent(event)
const explain = (group_hash: string) =>
  explainEvent({ data: JSON.stringify(event), group_version: version, group_hash })

it('an event that was joined to the server’s error shows the group it is in, whatever else its issue holds', () => {
  const joined = explain('b'.repeat(32))
  expect(joined?.hash).toBe('b'.repeat(32))
  expect(joined?.summary).toContain('the server’s group decides')
})

it('an event whose map came later shows the group of its written code, once that is in the same issue', () => {
  const at = (filename: string) =>
    ({
      ...event,
      exception: {
        values: [
          {
            type: 'TypeError',
            value: 'no total',
            stacktrace: { frames: [{ filename, function: 'priceOf', in_app: true }] },
          },
        ],
      },
    }) as unknown as StoredEvent // prettier-ignore
  const [sent, mapped] = [at('src/a.js'), at('src/price.js')]
  const grouped = groupEvent(sent)
  const stored = { data: JSON.stringify(sent), group_version: grouped.version, group_hash: grouped.hash }
  const today = { data: JSON.stringify(mapped), hashes: [grouped.hash, groupEvent(mapped).hash] }
  expect(explainEvent(stored, today)).toMatchObject({ hash: groupEvent(mapped).hash })
  expect(explainEvent(stored, today)?.summary).toContain('source map that arrived after')
  expect(explainEvent(stored, { ...today, hashes: [grouped.hash] })).toMatchObject({ hash: grouped.hash })
})

it('one that was not shows its own', () => {
  expect(explain(hash)?.hash).toBe(hash)
})
