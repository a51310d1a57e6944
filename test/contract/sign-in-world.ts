import { type Config, readConfig } from '#config.ts'

/** What better-auth signs cookies with in these tests. */
export const testSecret = 'a secret of this test alone, and long enough'

export function configOf(env: Record<string, string>): Config {
  const result = readConfig(env)
  if (!result.ok) throw new Error(result.faults.join())
  return result.config
}
