import { locateEngine } from '#engine/native/locate-engine.ts'
import { root } from '../../test/start-hydrant.ts'

let known: string | null = null

/** Which build of the embedded engine this machine runs: `native`, `wasm`, or `server` where CLICKHOUSE_URL names one. */
export function engineBuild(): string {
  known ??= process.env.CLICKHOUSE_URL ? 'server' : locateEngine(root).kind
  return known
}
