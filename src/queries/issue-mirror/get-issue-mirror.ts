import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { createIssueMirror, type IssueMirror } from './issue-mirror.ts'

const key = Symbol.for('hydrant.issue-mirror')
const holder = globalThis as { [key]?: WeakMap<Telemetry, IssueMirror> }

/** One mirror for each telemetry store of this process, in whichever copy of this module Next asks. */
export function getIssueMirror(control: Control, telemetry: Telemetry): IssueMirror {
  holder[key] ??= new WeakMap()
  const known = holder[key].get(telemetry)
  if (known) return known
  const mirror = createIssueMirror(control, telemetry)
  holder[key].set(telemetry, mirror)
  return mirror
}
