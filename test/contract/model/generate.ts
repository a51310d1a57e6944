/**
 * Invented telemetry whose numbers are known: errors of several projects over two weeks, in an order in which no network would lose
 * anything, and then late, shuffled and doubled as networks do it. The truth is counted from the list, never from a database.
 */
import { createIds } from '../../create-ids.ts'
import type { Random } from '../../fuzz/random.ts'

export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

export type ModelEvent = {
  eventId: string
  projectId: number
  /** Its group: one type of error is one issue. */
  type: string
  at: number
  receivedAt: number
  release: string
  environment: string
  /** '' without a user. */
  user: string
  isHandled: boolean
  level: 'error' | 'warning' | 'fatal'
  plan: string
}

const releases = ['shop@1.0.0', 'shop@1.1.0', 'shop@1.2.0', '']
const environments = ['production', 'staging']
const levels = ['error', 'error', 'error', 'warning', 'fatal'] as const

type Wanted = { random: Random; projectIds: readonly number[]; now: number; count: number }

export function generateEvents({ random, projectIds, now, count }: Wanted): ModelEvent[] {
  const newId = createIds(`model ${random.int(1_000_000)}`)
  const groups = Array.from({ length: 24 }, (_, index) => ({
    type: `Model${index}Error`,
    level: random.pick(levels),
    // Some have happened all the time, some only long ago, some in the last hour.
    oldest: random.pick([13 * dayMs, 9 * dayMs, 2 * dayMs, 25 * hourMs, hourMs]),
    newest: random.pick([0, 0, 0, 50 * 60_000, 23.9 * hourMs, 6.9 * dayMs, 8 * dayMs]),
    users: random.pick([3, 40, 400]),
  })).map(group => ({ ...group, newest: Math.min(group.newest, group.oldest / 2) }))
  return Array.from({ length: count }, () => {
    const group = random.pick(groups)
    const ago = Math.floor(group.newest + (random.int(10_001) / 10_000) * (group.oldest - group.newest))
    const at = now - ago
    const lateMs = random.chance(0.2) ? Math.min(ago, random.pick([2 * hourMs, 26 * hourMs, 5 * dayMs])) : 0
    const releaseCount = Math.max(1, Math.ceil(((13 * dayMs - ago) / (13 * dayMs)) * releases.length))
    return {
      eventId: newId(),
      projectId: random.pick(projectIds),
      type: group.type,
      at,
      receivedAt: at + lateMs,
      release: random.pick(releases.slice(0, releaseCount)),
      environment: random.pick(environments),
      user: random.chance(0.2) ? '' : `user${random.int(group.users)}`,
      isHandled: random.chance(0.5),
      level: group.level,
      plan: random.pick(['free', 'business']),
    }
  })
}

/** In batches as they might arrive: by receipt, but shuffled in the neighborhood, and a tenth of them once more later. */
export function deliver(events: readonly ModelEvent[], random: Random, size: number): ModelEvent[][] {
  const doubled = [
    ...events,
    ...events.filter(() => random.chance(0.1)).map(event => ({ ...event, receivedAt: event.receivedAt + 60_000 })),
  ]
  const order = doubled
    .map(event => ({ event, key: event.receivedAt + random.int(3 * hourMs) }))
    .sort((a, b) => a.key - b.key)
    .map(({ event }) => event)
  return Array.from({ length: Math.ceil(order.length / size) }, (_, index) =>
    order.slice(index * size, (index + 1) * size),
  )
}
