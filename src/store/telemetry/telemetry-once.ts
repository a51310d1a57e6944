import type { Telemetry } from './telemetry.ts'

/** A store that is still starting: every call waits until `isThere` resolves. */
export function telemetryOnce(isThere: Promise<void>, telemetry: Telemetry): Telemetry {
  return {
    readsAtOnce: telemetry.readsAtOnce,
    query: query => isThere.then(() => telemetry.query(query)),
    columns: query => isThere.then(() => telemetry.columns(query)),
    command: (statement, settings) => isThere.then(() => telemetry.command(statement, settings)),
    insert: insert => isThere.then(() => telemetry.insert(insert)),
    ping: () => isThere.then(() => telemetry.ping()),
    close: () => telemetry.close(),
  }
}
