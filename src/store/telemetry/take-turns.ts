import { engineKindHere, readSlots, readsAtOnce } from '#engine/engine-kind.ts'
import { noteTooBusy } from '#lib/read-signal.ts'
import { type Asker, createTurns, isTooBusy, type Turns } from '#lib/turns.ts'
import type { Query } from './query.ts'
import { openTelemetry, type Telemetry, telemetryAddress } from './telemetry.ts'

/** More than a busy browser needs. Above this a read is refused, because its page would give up before its turn. */
const waiting = { perOrganization: 600, perMember: 150 }
/** Reads of web that belong to no viewer. */
const shared: Asker = { organization: 0, member: '' }

/** The telemetry store of web. `root` is the project's folder, which shows which engine is installed. */
export function openTelemetryInTurns(
  root: string,
  config: { dataDir: string; clickhouseUrl: string | undefined },
): { telemetry: Telemetry; readTurns: Turns } {
  const engine = engineKindHere(root, config.clickhouseUrl)
  const readTurns = createTurns({ running: readSlots[engine], waiting })
  return { telemetry: takeTurns(openTelemetry(telemetryAddress(config), readsAtOnce[engine]), readTurns), readTurns }
}

/**
 * The same store, whose reads wait for their turn by organization and member. In web and not in the engine, so that it works the same with
 * an external ClickHouse, and digest and jobs never wait in this queue.
 */
export function takeTurns(telemetry: Telemetry, turns: Turns): Telemetry {
  async function inTurn<Result, Value>(query: Query<Result>, read: (query: Query<Result>) => Promise<Value>) {
    const release = await turns.take(query.asker ?? shared, query.signal).catch(error => {
      if (isTooBusy(error)) noteTooBusy()
      throw error
    })
    try {
      return await read(query)
    } catch (error) {
      // Each engine has its own error for a cancelled read.
      query.signal?.throwIfAborted()
      throw error
    } finally {
      release()
    }
  }
  return {
    ...telemetry,
    query: query => inTurn(query, telemetry.query),
    columns: query => inTurn(query, telemetry.columns),
  }
}
