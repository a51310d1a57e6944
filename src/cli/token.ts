import { createAuthToken } from '#domain/tokens/create-auth-token.ts'
import { isTokenScope, tokenScopes } from '#domain/tokens/token-scopes.ts'
import type { Command, Terminal } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { describeRefusal, withControl } from './with-control.ts'

export const token: Command = {
  help: `Usage: hydrant token add --org acme --name ci --scopes org:read,event:read [--days 90] [--private] [--json]

add   creates a token of the organization and prints it once. --days makes it expire, --private lets it see private projects,
      --json prints only {"token":…}.

Scopes:
${Object.entries(tokenScopes)
  .map(([name, { description }]) => `  ${name.padEnd(17)} ${description}`)
  .join('\n')}`,

  async run([verb, ...args], terminal) {
    if (verb === 'add') return addToken(args, terminal)
    terminal.printError('Use hydrant token add. See hydrant token --help.')
    return 2
  },
}

const options = {
  org: { type: 'string' },
  name: { type: 'string' },
  scopes: { type: 'string' },
  days: { type: 'string' },
  private: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
const dayMs = 86_400_000

export async function addToken(args: string[], terminal: Terminal): Promise<number> {
  const parsed = parseOptions(args, options)
  const usage = (message: string) => {
    terminal.printError(`${message} See hydrant token --help.`)
    return 2
  }
  if (!parsed.ok) return usage(parsed.message)
  const { org, name, days, json, private: seesPrivate } = parsed.values
  if (org === undefined || name === undefined) return usage('--org and --name are required.')
  const scopes = (parsed.values.scopes ?? 'org:ci').split(',').map(scope => scope.trim())
  const unknown = scopes.find(scope => !isTokenScope(scope))
  if (unknown !== undefined) return usage(`There is no scope ${JSON.stringify(unknown)}.`)
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days)) return usage('--days must be a whole number from 1 to 9999.')
  return withControl(terminal, async (context, config) => {
    const organization = await context.db
      .selectFrom('organization')
      .select('id')
      .where('slug', '=', org)
      .executeTakeFirst()
    const created = await createAuthToken(context, {
      organizationId: organization?.id ?? 0,
      name,
      scopes,
      publicUrl: config.publicUrl,
      expiresAt: days === undefined ? null : context.now() + Number(days) * dayMs,
      seesPrivate: seesPrivate ?? false,
    })
    if (!created.ok) {
      terminal.printError(describeRefusal(created.code))
      return 1
    }
    terminal.print(json ? JSON.stringify({ token: created.token }) : created.token)
    return 0
  })
}
