/** Log lines against the real engine, of one start. */
import { afterAll, beforeAll } from 'vitest'
import { exportSuite } from './log-suites/exports.ts'
import { listSuite } from './log-suites/lists.ts'
import { liveTailSuite } from './log-suites/live-tail.ts'
import { acme, openLogWorld } from './log-suites/log-world.ts'
import { oneLineSuite } from './log-suites/one-line.ts'
import { searchSuite } from './log-suites/search.ts'

beforeAll(openLogWorld)
afterAll(() => acme?.stop())

searchSuite()
listSuite()
exportSuite()
oneLineSuite()
liveTailSuite()
