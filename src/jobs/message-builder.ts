/** Builds messages of the outbox for the delivery job. */
import { LRUCache } from 'lru-cache'
import type { Stores } from '#domain/access/unscoped-stores.ts'
import { buildMessage } from '#domain/alerts/build-message.ts'
import type { BuildMessage } from '#domain/channels/delivery/attempt-message.ts'

/** The channels of a rule get a message within seconds of each other; a retry after that reads its facts again. */
const sameForMs = 60_000
const maxMessages = 500

/**
 * One message goes to many channels, each with a row of the outbox. Its facts are read once for all of them: while telemetry is slow, one
 * channel would otherwise say less than another.
 */
export function createMessageBuilder(stores: Stores, publicUrl: string, now = Date.now): BuildMessage {
  const built = new LRUCache<string, ReturnType<BuildMessage>>({ max: maxMessages, ttl: sameForMs, perf: { now } })
  return async row => {
    const key = `${row.organizationId} ${JSON.stringify(row.message)}`
    const building = built.get(key) ?? buildMessage(stores, publicUrl, row, now())
    built.set(key, building, { noUpdateTTL: true })
    try {
      const message = await building
      return message && { ...message, id: row.id }
    } catch (error) {
      built.delete(key)
      throw error
    }
  }
}
