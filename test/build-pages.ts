import type { TestProject } from 'vitest/node'
import { ensureBuilt } from '../bin/prepare.mjs'

/** Tests start Hydrant with pages that match their sources. `npm test` has built them when it starts the suites. */
export default async function buildPages(project: TestProject): Promise<void> {
  const build = async () => void (await ensureBuilt({ say: line => void process.stdout.write(`${line}\n`) }))
  if (process.env.HYDRANT_PAGES !== 'built') await build()
  project.onTestsRerun(build)
}
