/**
 * Simulates a kill at an exact step without a process: from that step on no promise of the stores settles, as if the thread had ended
 * there. The stores behind the gate are real and keep what was done until then.
 */
import type { Blobs } from '#store/blobs/blobs.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

/** `lose answer`: the step is done, but the caller gets a connection error and continues. */
/** A step by number, or the first one with a name. */
export type Fault = { step: number | string; mode: 'die before' | 'die after' | 'lose answer' } | null
export type Gate = {
  readonly steps: string[]
  died: Promise<void>
  /** Ends the run now, whatever step is running. */
  die(): Promise<never>
  pass<Value>(name: string, work: () => Promise<Value>): Promise<Value>
}

const never = new Promise<never>(() => undefined)

export function createGate(fault: Fault): Gate {
  const steps: string[] = []
  let isDead = false
  let tellDeath: () => void = () => undefined
  const died = new Promise<void>(resolve => {
    tellDeath = resolve
  })
  function die(): Promise<never> {
    isDead = true
    tellDeath()
    return never
  }
  return {
    steps,
    died,
    die,
    pass: async (name, work) => {
      if (isDead) return never
      const at = steps.push(name) - 1
      const isHere =
        fault !== null && (typeof fault.step === 'string' ? steps.indexOf(fault.step) === at : fault.step === at)
      if (isHere && fault?.mode === 'die before') return die()
      const value = await work()
      if (isDead) return never
      if (isHere && fault?.mode === 'die after') return die()
      if (isHere) throw new Error('the answer was lost')
      return value
    },
  }
}

export function gatedTelemetry(telemetry: Telemetry, gate: Gate): Telemetry {
  return {
    ...telemetry,
    query: query => gate.pass('query', () => telemetry.query(query)),
    insert: insert =>
      gate
        .pass(`insert ${insert.table}`, () => telemetry.insert(insert))
        .catch((error: Error) => ({ kind: 'silent', message: error.message }) as const),
  }
}

export const gatedBlobs = (blobs: Blobs, gate: Gate): Blobs => ({
  ...blobs,
  put: (key, source) => gate.pass('blob', () => blobs.put(key, source)),
})

type Work = Parameters<ReturnType<Control['db']['transaction']>['execute']>[0]

/** Only transactions count as steps, because only they change something. */
export function gatedControl(control: Control, gate: Gate): Control {
  const db = new Proxy(control.db, {
    get: (target, name) => {
      if (name === 'transaction')
        return () => ({ execute: (work: Work) => gate.pass('commit', () => target.transaction().execute(work)) })
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return { ...control, db }
}
