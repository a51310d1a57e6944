import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { examineScript, type ScriptFault } from './examine-script.ts'

export type BuildReport = { scripts: number; faults: { file: string; fault: ScriptFault }[] }

/** Nothing of these is deployed as the app's own code. */
const skipped = new Set(['node_modules', 'cache', '.git'])
const script = /\.[cm]?js$/

/** Looks at every script below a folder, one after the other: maps are large. */
export async function examineBuild(folder: string): Promise<BuildReport> {
  const report: BuildReport = { scripts: 0, faults: [] }
  for await (const path of listScripts(folder)) {
    report.scripts += 1
    const file = relative(folder, path)
    for (const fault of await examineScript(path)) report.faults.push({ file, fault })
  }
  return report
}

async function* listScripts(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !skipped.has(entry.name)) yield* listScripts(path)
    else if (entry.isFile() && script.test(entry.name)) yield path
  }
}
