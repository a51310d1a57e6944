import { readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { examineScript, type ScriptFault } from './examine-script.ts'

export type BuildReport = { scripts: number; faults: { file: string; fault: ScriptFault }[] }

/** Nothing of these is deployed as the app's own code. */
const skipped = new Set(['node_modules', 'cache', '.git'])
/** Beside Next's BUILD_ID: what the build itself ran, and what it wrote for editors. No visitor and no server runs it. */
const skippedOfNext = new Set(['build', 'dev', 'diagnostics', 'types'])
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
  const isNextOutput = entries.some(entry => entry.isFile() && entry.name === 'BUILD_ID')
  const isSkipped = (name: string): boolean => skipped.has(name) || (isNextOutput && skippedOfNext.has(name))
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && !isSkipped(entry.name)) yield* listScripts(path)
    else if (entry.isFile() && script.test(entry.name)) yield path
  }
}
