import { randomBytes } from 'node:crypto'
import { addUserAsMember } from '#domain/members/add-member.ts'
import type { MemberRole } from '#store/control/schema.ts'
import { type Command, readPassword, type Terminal, warnOfPassword } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { describeRefusal, withControl } from './with-control.ts'

export const user: Command = {
  help: `Usage: hydrant user add --email you@acme.dev --role owner|admin|member|viewer [--org acme] [--name …] [--password …]
       hydrant user list [--json]

add   adds a member to the organization and creates the user if needed. Without --password, a generated password is printed
      once; --password - reads it from standard input. --org is optional if there is only one organization. An existing
      user keeps the password, unless nobody has ever verified the address: then everything that signed in before ends.
list  prints all users with their organizations and roles.`,

  async run([verb, ...args], terminal) {
    if (verb === 'add') return addUser(args, terminal)
    if (verb === 'list') return listUsers(args, terminal)
    terminal.printError('Use hydrant user add or hydrant user list. See hydrant user --help.')
    return 2
  },
}

const options = {
  email: { type: 'string' },
  role: { type: 'string' },
  org: { type: 'string' },
  name: { type: 'string' },
  password: { type: 'string' },
} as const

export async function addUser(args: string[], terminal: Terminal): Promise<number> {
  const parsed = parseOptions(args, options)
  const usage = (message: string) => {
    terminal.printError(`${message} See hydrant user --help.`)
    return 2
  }
  if (!parsed.ok) return usage(parsed.message)
  const { email, role, org, name } = parsed.values
  if (email === undefined || role === undefined) return usage('--email and --role are required.')
  if (!isRole(role)) return usage('--role must be owner, admin, member or viewer.')
  const given = await readPassword(parsed.values.password, terminal)
  const password = given ?? randomBytes(15).toString('base64url')
  return withControl(terminal, async context => {
    const result = await addUserAsMember(context, { email, name, password, role, organizationSlug: org })
    if (!result.ok) {
      terminal.printError(describeRefusal(result.code))
      return 1
    }
    terminal.print(`${email} is now ${role} of ${result.organizationSlug}.`)
    if (result.state === 'present') {
      terminal.print('The user already existed and keeps the current password.')
      return 0
    }
    if (result.state === 'taken_over')
      terminal.print(
        'The account already existed, but its address was unverified. Its old password, sessions, passkeys and tokens no longer work.',
      )
    warnOfPassword(given, { email, name }, terminal)
    if (given === undefined) terminal.print(`Password: ${password} (shown only once)`)
    return 0
  })
}

function isRole(text: string): text is MemberRole {
  return text === 'owner' || text === 'admin' || text === 'member' || text === 'viewer'
}

const listOptions = { json: { type: 'boolean' } } as const
const maxRows = 10_000

export async function listUsers(args: string[], terminal: Terminal): Promise<number> {
  const parsed = parseOptions(args, listOptions)
  if (!parsed.ok) {
    terminal.printError(`${parsed.message} See hydrant user --help.`)
    return 2
  }
  return withControl(terminal, async ({ db }) => {
    const rows = await db
      .selectFrom('user')
      .leftJoin('member', 'member.user_id', 'user.id')
      .leftJoin('organization', 'organization.id', 'member.organization_id')
      .select(['user.email', 'user.name', 'organization.slug as organization', 'member.role'])
      .orderBy('user.email')
      .orderBy('organization.slug')
      .limit(maxRows)
      .execute()
    if (parsed.values.json) terminal.print(JSON.stringify(rows))
    else if (rows.length === 0) terminal.print('No users yet. Run hydrant init to create the first owner.')
    else
      for (const row of rows)
        terminal.print(`${row.email}\t${row.organization ?? '-'}\t${row.role ?? '-'}\t${row.name}`)
    return 0
  })
}
