import { expect, test } from 'vitest'
import { planEngineMemory } from '#engine/engine-driver.ts'
import { describeShortage, minimumBytes, planMemory } from './memory-plan.ts'

const MiB = 1024 * 1024

test('the less memory there is, the smaller are batches, heaps and what a statement may take', () => {
  const plans = [1000, 1200, 1500, 2048, 16_384].map(size => ({
    ...planMemory(size * MiB, 'wasm'),
    engine: planEngineMemory(size * MiB, 'wasm'),
  }))
  for (const [index, plan] of plans.slice(1).entries()) {
    const smaller = plans[index]
    expect(smaller?.batch.maxBytes).toBeLessThanOrEqual(plan.batch.maxBytes)
    expect(smaller?.engine.engineBytes).toBeLessThanOrEqual(plan.engine.engineBytes)
    expect(smaller?.engine.statementBytes).toBeLessThanOrEqual(plan.engine.statementBytes)
  }
  expect(plans[0]?.batch.maxBytes).toBeLessThan(plans.at(-1)?.batch.maxBytes ?? 0)
  expect(plans.at(-1)).toMatchObject({ batch: { maxBytes: 12 * MiB, maxRecords: 3_000 }, isTight: false })
})

test('a statement never gets more than the engine', () => {
  for (const build of ['wasm', 'native'] as const) {
    const { engineBytes, statementBytes, spillBytes } = planEngineMemory(minimumBytes[build], build)
    expect(statementBytes).toBeLessThan(engineBytes)
    expect(spillBytes).toBeLessThan(statementBytes)
  }
})

test('too little memory is one sentence with what there is, what is needed and what to do', () => {
  expect(describeShortage(1000 * MiB, 'wasm')).toBeNull()
  expect(describeShortage(512 * MiB, 'wasm')).toBe(
    'Hydrant may use 512 MiB of memory here, and with the embedded database as WebAssembly it needs at least 1000 MiB: raise the memory limit, or set CLICKHOUSE_URL to a ClickHouse server.',
  )
  expect(describeShortage(256 * MiB, 'server')).toMatch(/needs at least 320 MiB: raise the memory limit\.$/)
})
