import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

/** The stores without a scope. */
export type Stores = { control: Control; telemetry: Telemetry }

const key = Symbol.for('hydrant.unscoped-stores')

export const keepStores = <Owner extends object>(owner: Owner, stores: Stores): Owner =>
  Object.assign(owner, { [key]: stores })

/** For work that is the same for all viewers, started by one of them. `test/scope.test.ts` lists the files that may call it. */
export function unscopedStores(viewer: object): Stores {
  const stores = (viewer as { [key]?: Stores })[key]
  if (stores === undefined) throw new Error('createViewer did not create this viewer')
  return stores
}
