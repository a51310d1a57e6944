import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

type FileDuration = { file: string; durationMs: number }

/** Writes how long each test file took, with its hooks, to `HYDRANT_TEST_DURATIONS`: the JSON reporter leaves out what `beforeAll` does. */
export default class DurationsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env.HYDRANT_TEST_DURATIONS
    if (path === undefined) return
    const files: FileDuration[] = modules.map(module => {
      const { duration, collectDuration } = module.diagnostic()
      return { file: relative(process.cwd(), module.moduleId), durationMs: duration + collectDuration }
    })
    writeFileSync(path, JSON.stringify(files))
  }
}
