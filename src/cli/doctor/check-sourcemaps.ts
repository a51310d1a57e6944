/** Describes the problems of a build's source maps, one check per kind of problem. */
import type { ScriptFault } from '#symbolication/check-build.ts'
import { type BuildReport, checkBuild } from '#symbolication/check-build.ts'
import { type Check, fail, ok, reasonOf, warn } from './check.ts'

const name = 'source maps'
const inject =
  'Run sentry-cli sourcemaps inject on this folder before you deploy and upload it, or build with a Sentry bundler plugin.'

type FaultText = { state: 'warn' | 'fail'; what: string; fix: string }
const faultTexts: Record<ScriptFault['kind'], FaultText> = {
  no_map: {
    state: 'warn',
    what: 'have no source map',
    fix: 'Enable source maps in the build. Small files that the bundler generates need none.',
  },
  map_missing: {
    state: 'fail',
    what: 'refer to a source map that does not exist',
    fix: 'Upload the source maps before the build deletes them.',
  },
  map_deleted: {
    state: 'warn',
    what: 'have a debug id, but their source map was deleted',
    fix: 'Bundler plugins delete source maps after the upload. Check on the page of the release that they arrived.',
  },
  map_refused: {
    state: 'fail',
    what: 'have a source map that cannot be read',
    fix: 'Check the output of the build. A source map may have up to 64 MB and 3,000,000 mappings.',
  },
  no_debug_id: { state: 'fail', what: 'have no debug id', fix: inject },
  debug_ids_differ: {
    state: 'fail',
    what: 'have another debug id than their source map',
    fix: `The files were changed after the debug ids were injected. ${inject}`,
  },
  no_sources: {
    state: 'warn',
    what: 'have a source map without all sources',
    fix: 'Enable sourcesContent in the build, or upload the sources too. Without them, frames show file and line but no code.',
  },
}

export async function checkSourcemaps(folder: string): Promise<Check[]> {
  const report = await checkBuild(folder).catch((error: unknown) => reasonOf(error))
  if (typeof report === 'string')
    return [fail(name, `${folder} cannot be read: ${report}.`, 'Pass the output folder of your build.')]
  if (report.scripts === 0)
    return [
      fail(name, `No scripts found in ${folder}.`, 'Pass the output folder of your build, for example .next or dist.'),
    ]
  return describeReport(report)
}

function describeReport({ scripts, faults }: BuildReport): Check[] {
  const checks = [...Map.groupBy(faults, ({ fault }) => fault.kind)].map(([kind, group]) => {
    const { state, what, fix } = faultTexts[kind]
    const sentence = `${group.length} of ${count(scripts)} ${what}: ${listFiles(group.map(describe))}.`
    return state === 'fail' ? fail(name, sentence, fix) : warn(name, sentence, fix)
  })
  const bad = new Set(faults.map(({ file }) => file)).size
  return [...checks, ...(bad < scripts ? [ok(name, `${scripts - bad} of ${count(scripts)} ready to upload.`)] : [])]
}

const maxListed = 5

const listFiles = (files: string[]): string =>
  files.length <= maxListed
    ? files.join(', ')
    : `${files.slice(0, maxListed).join(', ')} and ${files.length - maxListed} more`

function describe({ file, fault }: BuildReport['faults'][number]): string {
  if (fault.kind === 'map_missing' || fault.kind === 'map_deleted') return `${file} (${fault.named.slice(0, 100)})`
  if (fault.kind === 'map_refused') return `${file} (${fault.code.replaceAll('_', ' ')})`
  return fault.kind === 'no_sources' ? `${file} (${fault.missing} of ${fault.total})` : file
}

const count = (scripts: number): string => `${scripts} ${scripts === 1 ? 'script' : 'scripts'}`
