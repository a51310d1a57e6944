import { join } from 'node:path'
import type { Config } from '#config.ts'
import { locateEngine } from '#engine/locate-engine.ts'
import { openTelemetry } from '#store/telemetry/telemetry.ts'
import { type Check, fail, ok, warn } from './check.ts'

const name = 'telemetry engine'
const root = join(import.meta.dirname, '..', '..', '..')

export async function checkEngine({ clickhouseUrl }: Config): Promise<Check> {
  return clickhouseUrl === undefined ? checkEmbedded() : checkServer(clickhouseUrl)
}

function checkEmbedded(): Check {
  const engine = locateEngine(root)
  if (engine.kind === 'native') return ok(name, 'The embedded engine is installed as a native library.')
  if (engine.kind === 'missing')
    return fail(name, engine.reason, 'Run npm start, which installs one, or set CLICKHOUSE_URL.')
  const fix = 'Where load grows, set CLICKHOUSE_URL to a ClickHouse server.'
  return warn(name, 'The embedded engine is the WebAssembly build, which is slower than the native library.', fix)
}

async function checkServer(url: string): Promise<Check> {
  const telemetry = openTelemetry({ kind: 'url', url })
  try {
    if (await telemetry.ping()) return ok(name, 'The ClickHouse server answers.')
    return fail(name, 'The ClickHouse server does not answer.', 'Check CLICKHOUSE_URL, the server and the way to it.')
  } finally {
    await telemetry.close()
  }
}
