import { readConfig } from '#config.ts'
import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import { openControl } from '#store/control/open-control.ts'
import type { Hydrant } from '../start-hydrant.ts'

/** A token of the organization acme, as `hydrant token add` makes it, without starting a process for it. */
export async function makeToken({ env, url }: Hydrant, scopes: readonly string[]): Promise<string> {
  const read = readConfig(env)
  if (!read.ok) throw new Error(read.faults.join('\n'))
  const control = openControl(read.config)
  try {
    const acme = control.db.selectFrom('organization').select('id').where('slug', '=', 'acme')
    const { id: organizationId } = await acme.executeTakeFirstOrThrow()
    const context = { db: control.db, actor: 'test', now: Date.now }
    const made = await createAuthToken(context, { organizationId, name: 'reader', publicUrl: url, scopes })
    if (!made.ok) throw new Error(made.code)
    return made.token
  } finally {
    await control.close()
  }
}
