import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { type Check, ok, warn } from './check.ts'

const name = 'secret'

export function checkSecret({ secret, dataDir, databaseUrl }: Config): Check {
  if (secret !== undefined) return ok(name, 'HYDRANT_SECRET is set.')
  const path = join(dataDir, 'secret')
  if (databaseUrl !== undefined) {
    const fix = 'Set HYDRANT_SECRET to the same value on every node.'
    return warn(name, 'With PostgreSQL several nodes may share sessions, and each would make a secret of its own.', fix)
  }
  if (!existsSync(path)) return ok(name, 'There is none yet; the first start makes it.')
  const isPrivate = (statSync(path).mode & 0o077) === 0
  if (isPrivate) return ok(name, 'It is in the data folder, readable by its owner only.')
  return warn(name, 'Others on this machine can read it.', `chmod 600 ${path}`)
}
