import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { type InsertUserResult, insertUser } from './insert-user.ts'
import { hashNewPassword, type PasswordFault } from './password.ts'

export type NewUser = { email: string; name?: string | undefined; password: string }
export type CreateUserResult = InsertUserResult | { ok: false; code: PasswordFault }

export async function createUser(context: CommandContext, { password, ...user }: NewUser): Promise<CreateUserResult> {
  const hashed = await hashNewPassword(password)
  if (!hashed.ok) return hashed
  return inTransaction<CreateUserResult>(context, inner => insertUser(inner, { ...user, passwordHash: hashed.hash }))
}
