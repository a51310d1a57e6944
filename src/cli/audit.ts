import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { CommandContext } from '#domain/access/command-context.ts'
import { eraseFromAudit } from '#domain/audit/erase-audit.ts'
import { type StoredEntry, type Verification, verifyChain, verifyEntries } from '#domain/audit/verify-audit.ts'
import type { Command, Terminal } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { describeRefusal, withControl } from './with-control.ts'

export const audit: Command = {
  help: `Usage: hydrant audit verify [--org acme] [--json]
       hydrant audit verify --file audit.jsonl [--json]
       hydrant audit erase --email you@acme.dev

verify  checks that no entry of the audit log was changed, removed or inserted, and prints the last hash of each chain. Keep
        that hash elsewhere: only it shows whether somebody with the database has written a whole new log. --file checks
        an export.
erase   removes names, addresses and details from all entries by and about a person. Their chain stays valid.`,

  async run([verb, ...args], terminal) {
    if (verb === 'verify') return verify(args, terminal)
    if (verb === 'erase') return erase(args, terminal)
    terminal.printError('Use hydrant audit verify or hydrant audit erase. See hydrant audit --help.')
    return 2
  },
}

const verifyOptions = { org: { type: 'string' }, file: { type: 'string' }, json: { type: 'boolean' } } as const
type Checked = { chain: string } & Verification

async function verify(args: string[], terminal: Terminal): Promise<number> {
  const parsed = parseOptions(args, verifyOptions)
  if (!parsed.ok) {
    terminal.printError(`${parsed.message} See hydrant audit --help.`)
    return 2
  }
  const { org, file, json } = parsed.values
  if (file !== undefined) {
    try {
      return report([{ chain: file, ...(await verifyEntries(readFile(file))) }], json, terminal)
    } catch (error) {
      terminal.printError(`Couldn't read ${file}: ${error instanceof Error ? error.message : String(error)}`)
      return 1
    }
  }
  return withControl(terminal, async context => {
    const all = await context.db.selectFrom('organization').select(['id', 'slug']).orderBy('slug').execute()
    const chosen = all.filter(({ slug }) => org === undefined || slug === org)
    if (org !== undefined && chosen.length === 0) {
      terminal.printError(describeRefusal('organization_not_found'))
      return 1
    }
    const checked: Checked[] = []
    for (const { id, slug } of chosen) checked.push({ chain: slug, ...(await verifyChain(context, id)) })
    if (org === undefined) checked.push({ chain: '(installation)', ...(await verifyChain(context, null)) })
    return report(checked, json, terminal)
  })
}

function report(checked: Checked[], isJson: boolean | undefined, terminal: Terminal): number {
  if (isJson) terminal.print(JSON.stringify(checked))
  else for (const each of checked) terminal.print(describe(each))
  return checked.every(({ fault }) => fault === null) ? 0 : 1
}

const reasons = {
  missing: 'is missing',
  changed: 'was changed, or one before it was removed',
  content_changed: 'has another content than when it was written',
}

function describe({ chain, entries, erased, unchained, hash, fault }: Checked): string {
  if (fault !== null)
    return `${chain}: broken. Entry ${fault.position} ${reasons[fault.reason]}; ${entries} before it are as they were.`
  const notes = [
    ...(erased > 0 ? [`${erased} with erased personal fields`] : []),
    ...(unchained > 0 ? [`${unchained} from before the chain, not covered`] : []),
  ]
  return `${chain}: ${entries} entries, none changed or removed${notes.length > 0 ? ` (${notes.join(', ')})` : ''}. Last hash ${hash || '-'}`
}

async function* readFile(path: string): AsyncGenerator<StoredEntry> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== '') yield JSON.parse(line) as StoredEntry
}

async function erase(args: string[], terminal: Terminal): Promise<number> {
  const parsed = parseOptions(args, { email: { type: 'string' } })
  if (!parsed.ok || parsed.values.email === undefined) {
    terminal.printError(`${parsed.ok ? '--email is required.' : parsed.message} See hydrant audit --help.`)
    return 2
  }
  const { email } = parsed.values
  return withControl(terminal, async context => {
    const userId = await findUserId(context, email)
    if (userId === undefined) {
      terminal.printError('There is no account with this email address.')
      return 1
    }
    const { entries } = await eraseFromAudit(context, { userId })
    terminal.print(`Erased the personal fields of ${entries} entries.`)
    return 0
  })
}

async function findUserId({ db }: CommandContext, email: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('user')
    .select('id')
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
  return found?.id
}
