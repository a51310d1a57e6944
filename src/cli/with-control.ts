import { type Config, loadConfig } from '#config.ts'
import type { CommandContext } from '#domain/access/command-context.ts'
import type { Terminal } from './command.ts'
import { openMigratedControl } from './open-stores.ts'

type Work = (context: CommandContext, config: Config) => Promise<number>

/** Opens the control database for one command. An error is printed and becomes exit code 1. */
export async function withControl(terminal: Terminal, work: Work): Promise<number> {
  const config = loadConfig()
  try {
    const control = await openMigratedControl(config)
    try {
      return await work({ db: control.db, actor: 'cli', now: Date.now }, config)
    } finally {
      await control.close()
    }
  } catch (error) {
    terminal.printError(error instanceof Error ? describe(error) : String(error))
    return 1
  }
}

/** A refused connection is an AggregateError without a message. */
function describe(error: Error): string {
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
  return cause.message
}

/** By the error codes of the domain. */
const sentences: Record<string, string> = {
  slug_invalid: 'A slug has at most 50 lowercase letters, digits and inner hyphens, and at least one letter.',
  slug_reserved: 'This slug is reserved. Choose another.',
  slug_taken: 'This slug is taken.',
  project_id_invalid: 'The project id must be a whole number above 0.',
  project_id_taken: 'This project id belongs to another project.',
  project_id_differs: 'The project already exists with another id. Omit --project-id, or choose another --project.',
  project_deleted: 'The project is deleted. Restore it on the projects page, or choose another --project.',
  key_invalid: 'A key has 32 lowercase hexadecimal digits.',
  key_taken: 'This key belongs to another project.',
  key_disabled: 'This key is disabled. Enable it, or omit --key.',
  owner_missing: 'The organization has no members yet. Pass --email and --password of its owner.',
  password_missing: 'This user does not exist yet. Pass --password to create it.',
  password_too_short: 'The password needs at least 8 characters.',
  password_too_long: 'The password may have at most 128 characters.',
  user_not_found: 'No user has this email address. hydrant user list prints all.',
  email_invalid: 'Enter a valid email address.',
  email_taken: 'A user with this email address already exists.',
  member_exists: 'This user is already a member.',
  organization_not_found: 'Organization not found.',
  name_missing: 'Pass a --name.',
  organization_unclear: 'There are several organizations. Choose one with --org.',
}

export function describeRefusal(code: string): string {
  return sentences[code] ?? `Refused: ${code}.`
}
