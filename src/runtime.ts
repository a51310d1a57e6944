/**
 * The stores, config and log of the web process. Next evaluates this module several times (instrumentation, route handlers,
 * pages), so the one runtime is kept on globalThis.
 */
import type { Logger } from 'pino'
import { type Config, loadConfig } from '#config.ts'
import { openLog } from '#lib/open-log.ts'
import { createTargetRules } from '#lib/outbound/check-target.ts'
import { type Mailer, openMailer } from '#lib/outbound/mailer.ts'
import { createOutbound, type Outbound } from '#lib/outbound/send-request.ts'
import type { Turns } from '#lib/turns.ts'
import { type Blobs, openBlobs } from '#store/blobs/open-blobs.ts'
import { type Control, openControl } from '#store/control/open-control.ts'
import { openTelemetryInTurns } from '#store/telemetry/take-turns.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

type Runtime = {
  config: Config
  control: Control
  /** Its reads take turns. */
  telemetry: Telemetry
  readTurns: Turns
  blobs: Blobs
  log: Logger
  /** Requests to servers that members name. */
  outbound: Outbound
  /** Null without SMTP_URL. */
  mailer: Mailer | null
  clock: { now(): number }
}

const key = Symbol.for('hydrant.runtime')
type Holder = { [key]?: Runtime }

export function getRuntime(): Runtime {
  const holder = globalThis as Holder
  holder[key] ??= openRuntime(loadConfig(), process.cwd())
  return holder[key]
}

/** Call it before the first use. The project’s folder shows which engine is installed, and so how many reads run side by side. */
export function provideRuntime(config: Config, root: string): void {
  ;(globalThis as Holder)[key] ??= openRuntime(config, root)
}

function openRuntime(config: Config, root: string): Runtime {
  return {
    config,
    control: openControl(config),
    ...openTelemetryInTurns(root, config),
    blobs: openBlobs(config),
    log: openLog('web', config.logLevel),
    outbound: createOutbound({ rules: createTargetRules({ ...config, allow: config.outboundAllow }) }),
    mailer: config.mail && openMailer(config.mail),
    clock: { now: () => Date.now() },
  }
}
