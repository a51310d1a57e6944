import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

const node = { environment: 'node', testTimeout: 20_000, hookTimeout: 60_000 } as const

/** unit: beside their files. The others start servers and children, and wait for them: four files at a time, since half of them wait. */
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
          isolate: false, // they change nothing that another would meet, and half of their time went into loading the same files anew
          maxWorkers: 2,
        },
      },
      {
        test: {
          ...node,
          name: 'contract',
          include: ['test/contract/**/*.test.ts', 'src/**/*.contract.test.ts'],
          globalSetup: ['test/contract/share-postgres.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...node,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...node,
          name: 'security',
          include: ['test/security/**/*.test.ts'],
          testTimeout: 3_600_000,
          hookTimeout: 300_000,
          maxWorkers: 4,
        },
      },
      {
        test: {
          ...node,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 14_400_000,
          hookTimeout: 300_000,
          maxWorkers: 4,
        },
      },
    ],
  },
})
