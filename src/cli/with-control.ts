import { type Config, loadConfig } from '#config.ts'
import type { CommandContext } from '#domain/access/command-context.ts'
import type { Terminal } from './command.ts'
import { openMigratedControl } from './open-stores.ts'

type Work = (context: CommandContext, config: Config) => Promise<number>

/** Opens the control database for one command and closes it again; a fault becomes one sentence and exit code 1. */
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
    terminal.complain(error instanceof Error ? describe(error) : String(error))
    return 1
  }
}

/** A refused connection is an AggregateError without words of its own. */
function describe(error: Error): string {
  const cause = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
  return cause.message
}

/** What a person at a terminal is told, by the codes of the commands. */
const sentences: Record<string, string> = {
  slug_invalid: 'A slug has small letters, digits and inner hyphens, 50 at most, and is not all digits.',
  slug_reserved: 'This slug is part of an address that Hydrant itself uses; choose another.',
  slug_taken: 'This slug is taken.',
  project_id_invalid: 'A project id is a whole number above 0.',
  project_id_taken: 'This project id belongs to another project.',
  project_id_differs: 'The project exists with another id; leave --project-id out, or choose another --project.',
  key_invalid: 'A key is 32 hexadecimal digits in small letters.',
  key_taken: 'This key belongs to another project.',
  key_disabled: 'This key is disabled; enable it, or leave --key out.',
  owner_missing: 'The organization has no members yet; give --email and --password for its owner.',
  password_missing: 'This person does not exist yet; give --password as well.',
  password_too_short: 'A password has at least 8 characters.',
  password_too_long: 'A password has at most 128 characters.',
  email_invalid: 'This is not an email address.',
  email_taken: 'There is a user with this email address already.',
  member_exists: 'This person is a member already.',
  organization_not_found: 'There is no such organization.',
  organization_unclear: 'There are several organizations; say which with --org.',
}

export function refusalSentence(code: string): string {
  return sentences[code] ?? `Refused: ${code}.`
}
