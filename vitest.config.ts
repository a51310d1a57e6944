import { defineConfig } from 'vitest/config'

const node = { environment: 'node', testTimeout: 20_000, hookTimeout: 60_000 } as const

/** unit: beside their files. The others start servers and children, and wait for them: three files at a time, since one of them always waits. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts'],
          exclude: ['src/**/*.contract.test.ts', '**/node_modules/**'],
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
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...node,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          maxWorkers: 3,
        },
      },
      {
        test: {
          ...node,
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 14_400_000,
          hookTimeout: 300_000,
          maxWorkers: 3,
        },
      },
    ],
  },
})
