import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

/** Only a failure waits this long: a busy machine is slow and not broken. Shorter while a test is being written. */
const waitMs = Number(process.env.HYDRANT_WAIT_MS ?? 300_000)
const patient = { testTimeout: 3 * waitMs, hookTimeout: 900_000, expect: { poll: { timeout: waitMs } } } as const
/** Files of one worker share its modules: they change nothing that another would meet, and loading them anew took up to half of the time. */
const shared = { isolate: false } as const
const node = { environment: 'node', setupFiles: ['test/measure-file.ts'], ...patient } as const

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
          ...node,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/end-borrowed.ts'],
          ...shared,
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...node,
          name: 'security',
          include: ['test/security/**/*.test.ts'],
          globalSetup: ['test/end-borrowed.ts'],
          ...shared,
          testTimeout: 3_600_000,
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...node,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          ...shared,
          testTimeout: 14_400_000,
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...node,
          name: 'storm',
          include: ['test/storm/**/*.test.ts'],
          ...shared,
          testTimeout: 900_000,
          maxWorkers: 4,
        },
      },
    ],
  },
})
