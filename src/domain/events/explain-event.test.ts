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
} as unknown as StoredEvent // only the fields that grouping reads
const { version, hash } = groupEvent(event)
const explain = (group_hash: string) =>
  explainEvent({ data: JSON.stringify(event), group_version: version, group_hash })

it('an event that is linked to a server error shows the server’s group', () => {
  const linked = explain('b'.repeat(32))
  expect(linked?.hash).toBe('b'.repeat(32))
  expect(linked?.summary).toContain('the server’s group decides')
})

it('an event whose source map arrived later shows the group of its original code once that is in the same issue', () => {
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
  const mappedLater = { data: JSON.stringify(mapped), hashes: [grouped.hash, groupEvent(mapped).hash] }
  expect(explainEvent(stored, mappedLater)).toMatchObject({ hash: groupEvent(mapped).hash })
  expect(explainEvent(stored, mappedLater)?.summary).toContain('source map that arrived after')
  expect(explainEvent(stored, { ...mappedLater, hashes: [grouped.hash] })).toMatchObject({ hash: grouped.hash })
})

it('an event that is not linked shows its own group', () => {
  expect(explain(hash)?.hash).toBe(hash)
})
