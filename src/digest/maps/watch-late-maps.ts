/** Looks for maps that came late, every few seconds, on digest's own thread. */
import type { Logger } from 'pino'
import { joinLateMaps, type LateMapStores } from './join-late-maps.ts'

const everyMs = 10_000
/** A batch is committed seconds after its maps were looked up; an upload may fall in between. */
const overlapMs = 5 * 60_000
/** What waited this long waits for maps that nobody has. */
const forgetAfterMs = 30 * 24 * 3_600_000

export function watchLateMaps(stores: LateMapStores, log: Logger): { stop(): Promise<void> } {
  let isStopping = false
  let knownBundle = 0
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    const { db } = stores.control
    const newest = await db
      .selectFrom('artifact_bundle')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst()
    const bundleId = Number(newest?.id ?? 0)
    if (bundleId === 0) return
    const now = Date.now()
    const { joined, isComplete } = await joinLateMaps(stores, { bundleId: knownBundle, seenAt: now - overlapMs }, now)
    if (isComplete) knownBundle = bundleId
    if (joined > 0) log.info({ hashes: joined }, 'source maps came late; hashes joined their issues')
    await db
      .deleteFrom('unmapped_hash')
      .where('seen_at', '<', now - forgetAfterMs)
      .execute()
  }

  function next(): void {
    if (isStopping) return
    timer = setTimeout(() => {
      round = look()
        .catch(error => log.warn({ error: String(error) }, 'late source maps could not be looked at; trying again'))
        .then(next)
    }, everyMs)
    timer.unref()
  }
  next()
  return {
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      await round
    },
  }
}
