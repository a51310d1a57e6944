import type { Telemetry } from './telemetry.ts'

/** Waits half a minute for an engine that is being started, or started again. */
export async function answersAgain(telemetry: Telemetry): Promise<boolean> {
  for (let tries = 0; tries < 60; tries++) {
    if (await telemetry.ping().catch(() => false)) return true
    await new Promise(resolve => setTimeout(resolve, 500))
  }
  return false
}
