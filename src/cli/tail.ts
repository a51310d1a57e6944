import { setTimeout as wait } from 'node:timers/promises'
import { loadConfig } from '#config.ts'
import { type Viewer, viewerAt } from '#domain/access/viewer.ts'
import { viewOrganization } from '#domain/alerts/organization-viewer.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import type { ListedLine } from '#domain/logs/list-logs.ts'
import { readBatches } from '#domain/logs/tail/read-batches.ts'
import { readCommitted } from '#domain/logs/tail/tail-position.ts'
import { logFields } from '#search/log-fields.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import type { SearchTerm } from '#search/search-term.ts'
import type { Control } from '#store/control/control.ts'
import { openTelemetry, type Telemetry, telemetryAddress } from '#store/telemetry/telemetry.ts'
import type { Command, Terminal } from './command.ts'
import { openMigratedControl } from './open-stores.ts'
import { parseOptions } from './parse-options.ts'

export const tail: Command = {
  help: `Usage: hydrant tail [--org acme] [--project web] [--json] ['level:error timeout']

Prints log lines as they are stored, until Ctrl-C, in the same search language as the logs page. Runs on a machine that reaches the
stores of Hydrant, and continues without a gap or a double when Hydrant restarts. --json prints one JSON object per line.`,

  async run(args, terminal) {
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    process.once('SIGTERM', () => stop.abort())
    return runTail(args, terminal, stop.signal)
  },
}

const options = {
  org: { type: 'string' },
  project: { type: 'string' },
  json: { type: 'boolean' },
} as const

export async function runTail(args: string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const isWord = (arg: string, index: number): boolean =>
    !arg.startsWith('--') && !/^--(?:org|project)$/.test(args[index - 1] ?? '')
  const words = args.filter(isWord)
  const parsed = parseOptions(
    args.filter((arg, index) => !isWord(arg, index)),
    options,
  )
  const usage = (message: string): number => {
    terminal.printError(`${message} See hydrant tail --help.`)
    return 2
  }
  if (!parsed.ok) return usage(parsed.message)
  if (words.length > 1) return usage('Put the search into quotes.')
  const search = parseSearch(words[0] ?? '', languageOf(logFields))
  if (!search.ok) return usage(search.faults[0]?.message ?? 'The search has an error.')
  const config = loadConfig()
  const control = await openMigratedControl(config)
  const telemetry = openTelemetry(telemetryAddress(config))
  try {
    const viewer = await findViewer({ control, telemetry }, parsed.values.org)
    if (typeof viewer === 'string') return usage(viewer)
    const { project: slug, json = false } = parsed.values
    const project = viewer.projects.find(each => each.slug === slug)
    if (slug !== undefined && !project) return usage(`There is no project ${JSON.stringify(slug)}.`)
    const slugs = new Map(viewer.projects.map(each => [each.id, each.slug]))
    const print = (line: ListedLine): void => {
      const name = slugs.get(line.projectId) ?? ''
      terminal.print(json ? JSON.stringify(plain(line, name)) : format(line, name))
    }
    await follow({ control, viewer, terms: search.terms, projectIds: project && [project.id], signal, print })
    return 0
  } finally {
    await telemetry.close()
    await control.close()
  }
}

/** The operator sees all projects. */
async function findViewer(stores: { control: Control; telemetry: Telemetry }, slug: string | undefined) {
  const found = await stores.control.db
    .selectFrom('organization')
    .select(['id', 'slug'])
    .$if(slug !== undefined, query => query.where('slug', '=', slug ?? ''))
    .limit(2)
    .execute()
  const [only] = found
  if (!only) return 'Organization not found.'
  if (found.length > 1) return 'There are several organizations. Choose one with --org.'
  return (await viewOrganization(stores, only.id, Date.now())) ?? 'Organization not found.'
}

const pollMs = 250
const maxLines = 5_000 // of one step; a terminal shows no more

type Follow = {
  control: Control
  viewer: Viewer
  terms: readonly SearchTerm[]
  projectIds: number[] | undefined
  signal: AbortSignal
  print(line: ListedLine): void
}

/** Looks at the cursors, which are a row for each node, and asks the engine only for batches that were committed. */
async function follow({ control, viewer, terms, projectIds, signal, print }: Follow): Promise<void> {
  const filter = { terms: await resolveTerms(viewer, terms, projectIds), projectIds }
  const position = await readCommitted(control)
  let since = Date.now()
  while (!signal.aborted) {
    try {
      for (const [inboxId, upTo] of await readCommitted(control)) {
        const after = position.get(inboxId) ?? 0
        if (after >= upTo) continue
        const wanted = { inboxId, after, upTo, since }
        const page = { columns: [], limit: maxLines }
        const { lines } = await readBatches(viewerAt(viewer, Date.now()), filter, wanted, page)
        position.set(inboxId, upTo)
        for (const line of lines.reverse()) print(line)
      }
      since = Date.now()
    } catch {
      // Hydrant restarts, or a store does. The position stays, so the next round continues here.
    }
    await wait(pollMs, undefined, { signal }).catch(() => undefined)
  }
}

const format = (line: ListedLine, project: string): string =>
  `${new Date(line.atUs / 1_000).toISOString()} ${line.level.padEnd(5)} ${project} ${line.body.replaceAll('\n', ' ⏎ ')}`

const plain = ({ atUs, level, body, traceId, route, serverName, id }: ListedLine, project: string) => ({
  timestamp: new Date(atUs / 1_000).toISOString(),
  level,
  project,
  message: body,
  route,
  server_name: serverName,
  trace: traceId,
  id,
})
