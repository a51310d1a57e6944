import { hookErrors } from './codes/hooks.ts'
import { hydrationErrors } from './codes/hydration.ts'
import { renderingErrors } from './codes/rendering.ts'
import { serverErrors } from './codes/server.ts'
import { suspenseErrors } from './codes/suspense.ts'
import type { ReactErrorEntry } from './react-error.ts'

const all = [...hydrationErrors, ...hookErrors, ...renderingErrors, ...serverErrors, ...suspenseErrors]
const byCode = new Map(all.map(entry => [entry.code, entry]))

/** What we have to say about a code; null for the many that people hardly meet. */
export const findReactError = (code: number): ReactErrorEntry | null => byCode.get(code) ?? null

export const knownReactErrors: readonly ReactErrorEntry[] = all
