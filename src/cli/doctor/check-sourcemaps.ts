/** What the faults of a build mean, each kind in one sentence with what to do. */

import type { ScriptFault } from '#symbolication/check-build.ts'
import { type BuildReport, checkBuild } from '#symbolication/check-build.ts'
import { type Check, fail, ok, reasonOf, warn } from './check.ts'

const name = 'source maps'
const inject =
  'Run sentry-cli sourcemaps inject on this folder before you deploy and upload it, or build with a Sentry bundler plugin.'

type Words = { state: 'warn' | 'fail'; what: string; fix: string }
const words: Record<ScriptFault['kind'], Words> = {
  no_map: {
    state: 'warn',
    what: 'without a source map',
    fix: 'Turn source maps on in the build. Small files that the bundler writes by itself need none.',
  },
  map_missing: {
    state: 'fail',
    what: 'that name a source map which is not there',
    fix: 'Upload before the build deletes its maps, or upload them from where they are.',
  },
  map_deleted: {
    state: 'warn',
    what: 'with a debug id, whose source map is not there any more',
    fix: 'Bundler plugins delete maps after they have uploaded them. Look at the release’s page whether they arrived.',
  },
  map_refused: {
    state: 'fail',
    what: 'whose source map cannot be read',
    fix: 'Look at what the build writes; a map may have 64 MB and 3,000,000 positions.',
  },
  no_debug_id: { state: 'fail', what: 'without a debug id', fix: inject },
  debug_ids_differ: {
    state: 'fail',
    what: 'whose debug id is not the one of their map',
    fix: `Something changed the files after the ids were put in. ${inject}`,
  },
  no_sources: {
    state: 'warn',
    what: 'whose map does not hold all sources',
    fix: 'Turn sourcesContent on in the build, or upload the sources too: without them frames have file and line but no code.',
  },
}

export async function checkSourcemaps(folder: string): Promise<Check[]> {
  const report = await checkBuild(folder).catch((error: unknown) => reasonOf(error))
  if (typeof report === 'string')
    return [fail(name, `${folder} cannot be read: ${report}.`, 'Name the folder that the build writes.')]
  if (report.scripts === 0)
    return [
      fail(name, `There is no script in ${folder}.`, 'Name the folder that the build writes, such as .next or dist.'),
    ]
  return judge(report)
}

function judge({ scripts, faults }: BuildReport): Check[] {
  const checks = [...Map.groupBy(faults, ({ fault }) => fault.kind)].map(([kind, group]) => {
    const { state, what, fix } = words[kind]
    const sentence = `${group.length} of ${count(scripts)} ${what}: ${listFiles(group.map(describe))}.`
    return state === 'fail' ? fail(name, sentence, fix) : warn(name, sentence, fix)
  })
  const bad = new Set(faults.map(({ file }) => file)).size
  return [
    ...checks,
    ...(bad < scripts ? [ok(name, `${scripts - bad} of ${count(scripts)} with all that is needed.`)] : []),
  ]
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
