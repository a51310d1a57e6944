import type { CommandContext } from './command-context.ts'

/**
 * Ids are counted by ourselves: a team that moves here keeps the ids of its DSNs, and an engine's own counter would
 * either collide with those or jump beyond them. The counter's row is locked until the transaction ends.
 */
export async function nextProjectId({ db }: CommandContext): Promise<number> {
  await db
    .insertInto('setting')
    .values({ name: 'last_project_id', value: '0' })
    .onConflict(conflict => conflict.column('name').doUpdateSet(eb => ({ value: eb.ref('setting.value') })))
    .execute()
  const { value } = await db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', 'last_project_id')
    .executeTakeFirstOrThrow()
  let id = Number(value) + 1
  while (await isTaken(db, id)) id++
  await db
    .updateTable('setting')
    .set({ value: String(id) })
    .where('name', '=', 'last_project_id')
    .execute()
  return id
}

async function isTaken(db: CommandContext['db'], id: number): Promise<boolean> {
  return (await db.selectFrom('project').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}
