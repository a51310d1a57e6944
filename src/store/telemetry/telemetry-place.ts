import { join } from 'node:path'
import type { TelemetryPlace } from './telemetry.ts'

/** A server where one is named, else the embedded engine's socket in the data folder. */
export const telemetryPlace = ({
  dataDir,
  clickhouseUrl,
}: {
  dataDir: string
  clickhouseUrl: string | undefined
}): TelemetryPlace =>
  clickhouseUrl === undefined
    ? { kind: 'socket', socketPath: join(dataDir, 'run', 'engine.sock') }
    : { kind: 'url', url: clickhouseUrl }
