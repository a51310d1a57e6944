import { join } from 'node:path'
import type { ZodType } from 'zod'
import { openTelemetry } from '#store/telemetry/telemetry.ts'

/** Queries the engine of a running Hydrant. */
export async function queryTelemetry<Row>(dataDir: string, query: string, schema: ZodType<Row>): Promise<Row[]> {
  const telemetry = openTelemetry({ kind: 'socket', socketPath: join(dataDir, 'run', 'engine.sock') })
  try {
    return await telemetry.query({ query, schema })
  } finally {
    await telemetry.close()
  }
}
