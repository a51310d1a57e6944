import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { conditionMs, isPatient, testMs, waitAtLeast } from './test/wait-limits.ts'

/** Hooks start servers, install programs and store what many tests read. */
const hookTimeout = Math.max(testMs(), waitAtLeast(300_000))
const limits = { testTimeout: testMs(), hookTimeout, expect: { poll: { timeout: conditionMs() } } } as const
/** Files of one worker share its modules: they change nothing that another would meet, and loading them anew took up to half of the time. */
const shared = { isolate: false } as const
const node = { environment: 'node', setupFiles: ['test/measure-file.ts'], ...limits } as const
const withBrowser = { ...node, setupFiles: ['test/measure-file.ts', 'test/keep-failures-setup.ts'] } as const

/** unit: beside their files. The others start servers and children, and wait for them: four files at a time, because more would wait for each other. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          exclude: ['src/**/*.contract.test.ts', '**/node_modules/**'],
          setupFiles: ['test/measure-file.ts', 'test/seed-properties.ts'],
          ...shared,
          maxWorkers: 2,
          sequence: { groupOrder: 1 }, // a group has one number of workers, and the other projects have more
        },
      },
      {
        test: {
          ...node,
          name: 'contract',
          include: ['test/contract/**/*.test.ts', 'src/**/*.contract.test.ts'],
          globalSetup: ['test/contract/share-postgres.ts'],
          ...shared,
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...withBrowser,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/build-pages.ts', 'test/end-borrowed.ts'],
          ...shared,
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...withBrowser,
          name: 'security',
          include: ['test/security/**/*.test.ts'],
          globalSetup: ['test/build-pages.ts', 'test/end-borrowed.ts'],
          ...shared,
          testTimeout: isPatient ? 3_600_000 : waitAtLeast(300_000),
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...withBrowser,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: ['test/build-pages.ts'],
          env: { HYDRANT_WAIT_MS: '30000' }, // what was killed or is away comes back after pauses
          ...shared,
          testTimeout: isPatient ? 14_400_000 : waitAtLeast(300_000),
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...withBrowser,
          name: 'storm',
          include: ['test/storm/**/*.test.ts'],
          globalSetup: ['test/build-pages.ts', 'test/storm/print-scenes.ts'],
          ...shared,
          testTimeout: waitAtLeast(900_000),
          maxWorkers: 4,
        },
      },
    ],
  },
})
