import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { readVariable } from '#config.ts'
import type { CommandContext } from '#domain/access/command-context.ts'
import { applyAlertsFile, type FileChange } from '#domain/alerts/apply-file.ts'
import { type FileRule, readAlertsFile } from '#domain/alerts/rules-file.ts'
import { channelWriter } from './alerts/channel-writer.ts'
import { checkWords } from './alerts/check-words.ts'
import type { Command, Terminal } from './command.ts'
import { parseOptions } from './parse-options.ts'
import { withControl } from './with-control.ts'

const options = {
  org: { type: 'string' },
  prune: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  force: { type: 'boolean' },
} as const

export const alerts: Command = {
  help: `Usage: hydrant alerts apply alerts.yaml --org acme [--prune] [--dry-run] [--force]

Makes the channels and alert rules of an organization what the file says, and prints each difference. Names identify them.
Secrets are written as \${NAME} and read from the environment. Works whether or not Hydrant is running.

  --org <slug>   the organization
  --prune        also delete channels and rules that the file does not have
  --dry-run      print the differences and change nothing
  --force        also apply rules that ask for tags which were not received in the last 30 days

  channels:
    - { name: hook, kind: webhook, url: "https://example.com/hook", secret: "\${HOOK_SECRET}" }
  rules:
    - { name: new in web, project: web, when: [new-issue, regression, escalation], channels: [hook] }`,

  async run([verb, path, ...args], terminal) {
    const usage = (message: string) => {
      terminal.printError(`${message} See hydrant alerts --help.`)
      return 2
    }
    if (verb !== 'apply' || path === undefined || path.startsWith('-')) return usage('Use hydrant alerts apply FILE.')
    const parsed = parseOptions(args, options)
    if (!parsed.ok) return usage(parsed.message)
    const { org, prune: isPruning = false, 'dry-run': isDryRun = false, force: isForced = false } = parsed.values
    if (org === undefined) return usage('--org is required.')
    const given = await readYaml(path, terminal)
    if ('fault' in given) return refuse(terminal, [given.fault])
    const read = readAlertsFile(given.value, readVariable)
    if (!read.ok) return refuse(terminal, read.faults)
    return withControl(terminal, async (context, config) => {
      const organizationId = await findOrganization(context, org)
      if (organizationId === null) return refuse(terminal, [`There is no organization ${org}.`])
      const channels = channelWriter(config)
      const wanted = { organizationId, file: read.file, channels, isPruning }
      const planned = await applyAlertsFile(context, { ...wanted, isDryRun: true })
      if (!planned.ok) return refuse(terminal, planned.faults)
      const rules = changedRules(read.file.rules, planned.changes)
      const { faults, unchecked } = await checkWords(context, config, { organizationId, rules })
      if (unchecked.length > 0)
        terminal.printError(`Couldn't reach ClickHouse, so these tags were not checked: ${unchecked.join(', ')}.`)
      if (faults.length > 0 && !isForced)
        return refuse(terminal, [...faults, 'Use --force to apply the file in spite of this.'])
      for (const fault of faults) terminal.printError(`Warning: ${fault}`)
      const applied = await applyAlertsFile(context, { ...wanted, isDryRun })
      if (!applied.ok) return refuse(terminal, applied.faults)
      printChanges(terminal, applied.changes, isDryRun)
      return 0
    })
  },
}

/** A rule that stays as it is keeps its words. */
function changedRules(rules: readonly FileRule[], changes: readonly FileChange[]): FileRule[] {
  const changed = new Set(changes.filter(({ sign, what }) => what === 'rule' && sign !== '=').map(({ name }) => name))
  return rules.filter(({ name }) => changed.has(name))
}

async function readYaml(path: string, terminal: Terminal): Promise<{ value: unknown } | { fault: string }> {
  try {
    const text = path === '-' ? await terminal.readInput() : await readFile(path, 'utf8')
    return { value: parse(text, { maxAliasCount: 100 }) }
  } catch (error) {
    return { fault: `${path}: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function refuse(terminal: Terminal, faults: readonly string[]): number {
  for (const fault of faults) terminal.printError(fault)
  terminal.printError('Nothing was changed.')
  return 1
}

function printChanges(terminal: Terminal, changes: readonly FileChange[], isDryRun: boolean): void {
  for (const { sign, what, name, note } of changes)
    if (sign !== '=') terminal.print(`${sign} ${what} ${name}${note === '' ? '' : ` (${note})`}`)
  const changed = changes.filter(({ sign }) => sign !== '=').length
  const rest = `${changes.length - changed} unchanged`
  terminal.print(isDryRun ? `${changed} would change, ${rest}.` : `${changed} changed, ${rest}.`)
}

async function findOrganization({ db }: CommandContext, slug: string): Promise<number | null> {
  const row = await db.selectFrom('organization').select('id').where('slug', '=', slug).executeTakeFirst()
  return row?.id ?? null
}
