import type { Terminal } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { withControl } from './with-control.ts'

const options = { json: { type: 'boolean' } } as const
const mostRows = 10_000

export async function listUsers(args: string[], terminal: Terminal): Promise<number> {
  const parsed = parseOptions(args, options)
  if (!parsed.ok) {
    terminal.complain(`${parsed.message} See hydrant user --help.`)
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
      .limit(mostRows)
      .execute()
    if (parsed.values.json) terminal.print(JSON.stringify(rows))
    else if (rows.length === 0) terminal.print('Nobody yet: hydrant init makes the first owner.')
    else
      for (const row of rows)
        terminal.print(`${row.email}\t${row.organization ?? '-'}\t${row.role ?? '-'}\t${row.name}`)
    return 0
  })
}
