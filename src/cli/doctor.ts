import { type Config, readConfig } from '#config.ts'
import type { Command } from './command.ts'
import { type Check, fail, ok } from './doctor/check.ts'
import { checkBlobs } from './doctor/check-blobs.ts'
import { checkControl } from './doctor/check-control.ts'
import { checkCounters } from './doctor/check-counters.ts'
import { checkDataFolder } from './doctor/check-data-folder.ts'
import { checkEngine } from './doctor/check-engine.ts'
import { checkMemory } from './doctor/check-memory.ts'
import { checkNode } from './doctor/check-node.ts'
import { checkSecret } from './doctor/check-secret.ts'
import { checkServer } from './doctor/check-server.ts'
import { checkSourcemaps } from './doctor/check-sourcemaps.ts'
import { checkWebBuild } from './doctor/check-web-build.ts'
import { parseOptions } from './parse-options.ts'

const options = { json: { type: 'boolean' } } as const

export const doctor: Command = {
  help: `Usage: hydrant doctor [--json]
       hydrant doctor sourcemaps <folder> [--json]

Checks Node, settings, data folder, stores, engine, port and pages, and says what to do about each fault.
sourcemaps looks at a build before it is uploaded: maps that are there and can be read, debug ids in pairs, sources.
Exits with 1 if something fails.`,

  async run(args, terminal) {
    const folder = args[0] === 'sourcemaps' ? args[1] : undefined
    if (args[0] === 'sourcemaps' && (folder === undefined || folder.startsWith('-'))) {
      terminal.complain('Name the folder that the build writes: hydrant doctor sourcemaps .next')
      return 2
    }
    const parsed = parseOptions(folder === undefined ? args : args.slice(2), options)
    if (!parsed.ok) {
      terminal.complain(`${parsed.message} See hydrant doctor --help.`)
      return 2
    }
    const checks = folder === undefined ? await examine() : await checkSourcemaps(folder)
    if (parsed.values.json) terminal.print(JSON.stringify(checks))
    else for (const check of checks) terminal.print(draw(check))
    return checks.some(({ state }) => state === 'fail') ? 1 : 0
  },
}

/** Without settings that make sense nothing else can be looked at. */
async function examine(): Promise<Check[]> {
  const node = checkNode(process.versions.node)
  const result = readConfig()
  if (result.ok) return [node, ok('settings', 'Every setting makes sense.'), ...(await examineStores(result.config))]
  return [
    node,
    ...result.faults.map(fault => fail('settings', fault, 'Change it in the environment, or leave it out.')),
  ]
}

async function examineStores(config: Config): Promise<Check[]> {
  return [
    ...(await checkDataFolder(config)),
    checkMemory(config),
    checkSecret(config),
    await checkControl(config),
    ...(await checkCounters(config)),
    await checkEngine(config),
    await checkBlobs(config),
    ...(await checkServer(config)),
    checkWebBuild(),
  ]
}

function draw({ name, state, sentence, fix }: Check): string {
  const line = `${state.padEnd(5)} ${name.padEnd(17)} ${sentence}`
  return fix === undefined ? line : `${line}\n${' '.repeat(24)}→ ${fix}`
}
