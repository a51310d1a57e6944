import type { Kysely } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'

/** What a command needs to know: where it writes, in whose name, and what time it is. */
export type CommandContext = {
  /** The control database, or a transaction of a larger command that this one is a part of. */
  db: Kysely<ControlSchema>
  /** `user:<id>`, `token:<id>`, `cli` or `setup`: goes into the audit row. */
  actor: string
  /** Milliseconds since 1970. */
  now: () => number
}
