import { randomUUID } from 'node:crypto'
import type { Config } from '#config.ts'
import type { CommandContext } from '#domain/access/command-context.ts'
import { readMinuteClock } from '#domain/alerts/minute-clock.ts'
import {
  cleanIdentifiers,
  type Receipt,
  receiptOf,
  requestErasure,
  type UserIdentifiers,
} from '#domain/privacy/erasures.ts'
import { countUserData, nameUser } from '#jobs/erase-users/erase-user.ts'
import { eraseNext } from '#jobs/erase-users/erase-users.ts'
import { formatWhole } from '#lib/format-whole.ts'
import { openBlobs } from '#store/blobs/open-blobs.ts'
import { openControl } from '#store/control/open-control.ts'
import { loadSecret, scrubKey } from '#store/control/secret.ts'
import { layoutOf } from '#store/telemetry/table-layout.ts'
import type { Command, Terminal } from './command.ts'
import { ensureTables, openTelemetryHere } from './open-stores.ts'
import { parseOptions } from './parse-options.ts'
import { describeRefusal, withControl } from './with-control.ts'

export const eraseUserCommand: Command = {
  help: `Usage: hydrant erase-user --org acme [--user <id>] [--email <address>] [--username <name>] [--ip <address>] [--dry-run] [--json]

Deletes everything that names a user of your app: errors, traces, logs, metrics, sessions, feedback, replays and attachments, in all
projects of the organization. What has one of the given identifiers is theirs. This can't be undone; --dry-run only counts.
Prints a receipt when it is done. If Hydrant is running, it does the work and this command waits for it.`,

  async run(args, terminal) {
    const parsed = parseOptions(args, options)
    if (!parsed.ok) return refuse(terminal, parsed.message)
    const { org, user: id, email, username, ip, json = false, 'dry-run': isDryRun = false } = parsed.values
    const user = cleanIdentifiers({
      ...(id === undefined ? {} : { id }),
      ...(email === undefined ? {} : { email }),
      ...(username === undefined ? {} : { username }),
      ...(ip === undefined ? {} : { ip }),
    })
    if (org === undefined) return refuse(terminal, '--org is required.')
    if (user === null) return refuse(terminal, 'Name the user with --user, --email, --username or --ip.')
    return withControl(terminal, (context, config) =>
      run({ context, config, terminal, org, user, isDryRun, isJson: json }),
    )
  },
}

const options = {
  org: { type: 'string' },
  user: { type: 'string' },
  email: { type: 'string' },
  username: { type: 'string' },
  ip: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

function refuse(terminal: Terminal, message: string): number {
  terminal.printError(`${message} See hydrant erase-user --help.`)
  return 2
}

type Run = {
  context: CommandContext
  config: Config
  terminal: Terminal
  org: string
  user: UserIdentifiers
  isDryRun: boolean
  isJson: boolean
}

async function run({ context, config, terminal, org, user, isDryRun, isJson }: Run): Promise<number> {
  const organization = await context.db
    .selectFrom('organization')
    .select('id')
    .where('slug', '=', org)
    .executeTakeFirst()
  if (organization === undefined) {
    terminal.printError(describeRefusal('organization_not_found'))
    return 1
  }
  const control = openControl(config)
  const opened = await openTelemetryHere(config)
  try {
    await ensureTables(config, control, opened)
    const stores = { control, telemetry: opened.telemetry, layout: layoutOf(config), blobs: openBlobs(config) }
    if (isDryRun) {
      const projects = await control.db
        .selectFrom('project')
        .select('id')
        .where('organization_id', '=', organization.id)
        .execute()
      const ids = projects.map(({ id }) => id)
      const found = await countUserData(stores, nameUser(user, ids, context.now()))
      terminal.print(isJson ? JSON.stringify({ dryRun: true, found }) : describeCounts('Found', found))
      return 0
    }
    const asked = await requestErasure(context, { organizationId: organization.id, user })
    if (!asked.ok) throw new Error(asked.code)
    const job = { ...stores, holder: randomUUID(), hashKey: scrubKey(loadSecret(config)), now: context.now }
    // Without a Hydrant here it is done at once, unless some node still has to store what it has received.
    if (!opened.isOfRunningHydrant) while ((await eraseNext(job)) === 'done');
    const isRunning = opened.isOfRunningHydrant || (await readMinuteClock(control, context.now())) !== null
    const receipt = await waitFor(context, asked.id, isRunning ? giveUpAfterMs : 0)
    terminal.print(isJson ? JSON.stringify(receipt) : describeReceipt(receipt))
    return receipt.state === 'done' ? 0 : 1
  } finally {
    await opened.close()
    await control.close()
  }
}

const pollMs = 500
/** A deletion rewrites the parts of the tables that hold the rows. */
const giveUpAfterMs = 15 * 60_000

async function waitFor({ db }: CommandContext, id: string, patienceMs: number): Promise<Receipt> {
  for (const giveUpMs = performance.now() + patienceMs; ; ) {
    const row = await db.selectFrom('user_erasure').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    if (row.state === 'done' || performance.now() > giveUpMs) return receiptOf(row)
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
}

function describeReceipt({ id, state, deleted, limits }: Receipt): string {
  if (state !== 'done')
    return `Receipt ${id}: not done yet, because a node has not stored all that it has received. Hydrant goes on with it when it runs; see Settings, Privacy.`
  return [`Receipt ${id}`, describeCounts('Deleted', deleted), ...limits.map(limit => `- ${limit}`)].join('\n')
}

function describeCounts(verb: string, counts: Record<string, number>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${formatWhole(count)} ${name}`)
  return parts.length === 0 ? `${verb} nothing.` : `${verb}: ${parts.join(', ')}.`
}
