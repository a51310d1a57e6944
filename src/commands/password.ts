/** The bounds of better-auth, whose sign-in form would refuse anything else. */
const minPasswordChars = 8
const maxPasswordChars = 128

export type PasswordFault = 'password_too_short' | 'password_too_long'
export type PasswordHash = { ok: true; hash: string } | { ok: false; code: PasswordFault }

/** Hashes as better-auth does. It is slow on purpose, so it comes before a transaction, never inside one. */
export async function hashNewPassword(password: string): Promise<PasswordHash> {
  if (password.length < minPasswordChars) return { ok: false, code: 'password_too_short' }
  if (password.length > maxPasswordChars) return { ok: false, code: 'password_too_long' }
  const { hashPassword } = await import('better-auth/crypto')
  return { ok: true, hash: await hashPassword(password) }
}
