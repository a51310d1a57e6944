import { sql } from 'kysely'

/**
 * Whether a user signs in with a second factor: has an app or a passkey, or a session that a provider has confirmed with one. `user` names
 * the column that holds the user's id.
 */
export const isProtected = (user: string) => {
  const id = sql.ref(user)
  return sql<boolean>`(
    exists (select 1 from ${sql.table('user')} as own where own.id = ${id} and own.${sql.ref('twoFactorEnabled')} = true)
    or exists (select 1 from passkey where passkey.user_id = ${id})
    or exists (select 1 from session as strong where strong.${sql.ref('userId')} = ${id} and strong.${sql.ref('secondFactor')} = true)
  )`
}
