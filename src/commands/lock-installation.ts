import type { CommandContext } from './command-context.ts'

/** Setting up looks before it makes: two that run at once must look one after the other. Held until the transaction ends. */
export async function lockInstallation({ db, now }: CommandContext): Promise<void> {
  await db
    .insertInto('setting')
    .values({ name: 'set_up_at', value: String(now()) })
    .onConflict(conflict => conflict.column('name').doUpdateSet(eb => ({ value: eb.ref('setting.value') })))
    .execute()
}
