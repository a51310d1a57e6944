import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../bin/prepare.mjs'

/** What tests start serves the pages as their sources are now. */
export default async function buildPages(project: TestProject): Promise<void> {
  const build = async () => void (await ensureBuilt({ say: line => void process.stdout.write(`${line}\n`) }))
  await build()
  project.onTestsRerun(build)
}
