import type { Control } from '#store/control/control.ts'

/** The first run is over as soon as there is a user or an organisation (`hydrant init` may make one without the other). */
export async function isSetUp({ db }: Control): Promise<boolean> {
  const user = await db.selectFrom('user').select('id').limit(1).executeTakeFirst()
  if (user) return true
  const organization = await db.selectFrom('organization').select('id').limit(1).executeTakeFirst()
  return organization !== undefined
}
