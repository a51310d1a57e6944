/** Digest survives crashes, damaged files and hostile records. Each scene has its project and its inbox in the stores of one node. */
import { afterAll, beforeAll } from 'vitest'
import { testCorruption } from './digest-suites/corruption.ts'
import { testCrashPoints } from './digest-suites/crash-points.ts'
import { testExpensive } from './digest-suites/expensive.ts'
import { testPoison } from './digest-suites/poison.ts'
import { testSealed } from './digest-suites/sealed.ts'
import { openStage, type Stage } from './open-stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage?.close())

const scene = () => stage

// First: it reconciles all projects.
testSealed(scene)
testCrashPoints(scene)
testPoison(scene)
testCorruption(scene)
testExpensive(scene)
