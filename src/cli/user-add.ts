import { randomBytes } from 'node:crypto'
import { addPerson } from '#commands/add-person.ts'
import type { MemberRole } from '#store/control/schema.ts'
import type { Terminal } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { readPassword } from './read-password.ts'
import { refusalSentence } from './refusal-sentence.ts'
import { withControl } from './with-control.ts'

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
    terminal.complain(`${message} See hydrant user --help.`)
    return 2
  }
  if (!parsed.ok) return usage(parsed.message)
  const { email, role, org, name } = parsed.values
  if (email === undefined || role === undefined) return usage('--email and --role are needed.')
  if (!isRole(role)) return usage('--role is owner, admin, member or viewer.')
  const given = await readPassword(parsed.values.password, terminal)
  const password = given ?? randomBytes(15).toString('base64url')
  return withControl(terminal, async context => {
    const result = await addPerson(context, { email, name, password, role, organizationSlug: org })
    if (!result.ok) {
      terminal.complain(refusalSentence(result.code))
      return 1
    }
    terminal.print(`${email} is now ${role} of ${result.organizationSlug}.`)
    if (result.isNewUser && given === undefined) terminal.print(`Password: ${password} (shown only now)`)
    if (!result.isNewUser) terminal.print('This person existed before and keeps their password.')
    return 0
  })
}

function isRole(text: string): text is MemberRole {
  return text === 'owner' || text === 'admin' || text === 'member' || text === 'viewer'
}
