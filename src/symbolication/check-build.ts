import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { isObject } from '#lib/json-value.ts'
import { readDebugId } from '#protocol/artifact-manifest.ts'
import { limits } from './limits.ts'
import type { RefusalCode } from './mapped-frame.ts'
import { decodeDataUrl, findMapComment, parseMap } from './parse-map.ts'
import { decodePath } from './source-lines.ts'

export type BuildReport = { scripts: number; faults: { file: string; fault: ScriptFault }[] }

/** Folders that are not deployed as app code. */
const skippedFolders = new Set(['node_modules', 'cache', '.git'])
/** Folders beside the BUILD_ID of Next.js that neither browser nor server runs. */
const skippedNextFolders = new Set(['build', 'dev', 'diagnostics', 'types'])
const script = /\.[cm]?js$/

/** Checks every script below a folder, one at a time because maps are large. */
export async function checkBuild(folder: string): Promise<BuildReport> {
  const report: BuildReport = { scripts: 0, faults: [] }
  for await (const path of listScripts(folder)) {
    report.scripts += 1
    const file = relative(folder, path)
    for (const fault of await checkScript(path)) report.faults.push({ file, fault })
  }
  return report
}

async function* listScripts(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  const isNextOutput = entries.some(entry => entry.isFile() && entry.name === 'BUILD_ID')
  const isSkipped = (name: string): boolean =>
    skippedFolders.has(name) || (isNextOutput && skippedNextFolders.has(name))
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !isSkipped(entry.name)) yield* listScripts(path)
    else if (entry.isFile() && script.test(entry.name)) yield path
  }
}

/** Why stacks of a script can't be read. */
export type ScriptFault =
  | { kind: 'no_map' }
  | { kind: 'map_missing'; named: string }
  | { kind: 'map_deleted'; named: string }
  | { kind: 'map_refused'; code: RefusalCode }
  | { kind: 'no_debug_id' }
  | { kind: 'debug_ids_differ'; inScript: string; inMap: string }
  | { kind: 'no_sources'; missing: number; total: number }

async function checkScript(path: string): Promise<ScriptFault[]> {
  const script = await readFile(path)
  const found = await findMap(path, script)
  if ('kind' in found) {
    // Sentry's bundler plugins inject an id, upload the maps, and then delete them.
    const isDeleted = found.kind === 'map_missing' && scriptId(script) !== ''
    return [isDeleted ? { kind: 'map_deleted', named: found.named } : found]
  }
  const parsed = parseMap(found.bytes)
  if ('kind' in parsed) return [{ kind: 'map_refused', code: parsed.code }]
  return [...compareIds(scriptId(script), mapId(found.bytes)), ...sourceFaults(parsed.map)]
}

type FoundMap = { bytes: Buffer } | Extract<ScriptFault, { kind: 'no_map' | 'map_missing' | 'map_refused' }>

async function findMap(path: string, script: Buffer): Promise<FoundMap> {
  const named = findMapComment(script)
  if (named.startsWith('data:')) {
    const bytes = decodeDataUrl(named)
    return bytes === null ? { kind: 'map_refused', code: 'map_unreadable' } : { bytes }
  }
  const mapFile = named === '' ? `${path}.map` : resolve(dirname(path), decodePath(named.split(/[?#]/, 1)[0] ?? ''))
  const found = await stat(mapFile).catch(() => null)
  if (!found?.isFile()) return named === '' ? { kind: 'no_map' } : { kind: 'map_missing', named }
  if (found.size > limits.mapBytes) return { kind: 'map_refused', code: 'map_too_large' }
  return { bytes: await readFile(mapFile) }
}

const tailBytes = 4_096

/** From the last comment of the file, as bundlers and sentry-cli write it. */
function scriptId(script: Buffer): string {
  const tail = script.toString('latin1', Math.max(0, script.length - tailBytes))
  return readDebugId(/\/\/# debugId=([0-9a-fA-F-]+)/.exec(tail)?.[1] ?? '')
}

function mapId(bytes: Buffer): string {
  const map: unknown = JSON.parse(bytes.toString('utf8').replace(/^\)\]\}[^\n]*\n|^\uFEFF/, ''))
  if (!isObject(map)) return ''
  const id = map.debugId ?? map.debug_id
  return typeof id === 'string' ? readDebugId(id) : ''
}

function compareIds(inScript: string, inMap: string): ScriptFault[] {
  if (inScript === '' && inMap === '') return [{ kind: 'no_debug_id' }]
  return inScript === inMap ? [] : [{ kind: 'debug_ids_differ', inScript, inMap }]
}

function sourceFaults({ sources, sourcesContent }: { sources: unknown[]; sourcesContent?: unknown[] | undefined }) {
  const missing = sources.filter((_, at) => typeof sourcesContent?.[at] !== 'string').length
  const fault: ScriptFault = { kind: 'no_sources', missing, total: sources.length }
  return missing === 0 ? [] : [fault]
}
