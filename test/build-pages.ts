import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../bin/prepare.mjs'

/** Tests start Hydrant with pages that match their sources. */
export default async function buildPages(project: TestProject): Promise<void> {
  const build = async () => void (await ensureBuilt({ say: line => void process.stdout.write(`${line}\n`) }))
  await build()
  project.onTestsRerun(build)
}
