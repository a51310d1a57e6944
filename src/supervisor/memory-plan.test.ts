import { expect, test } from 'vitest'
import { planEngineMemory } from '#engine/engine-driver.ts'
import { describeShortage, minimumBytes, planMemory } from './memory-plan.ts'

const MiB = 1024 * 1024

test('less memory means smaller batches, heaps and statement limits', () => {
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

test('a statement gets less memory than the engine', () => {
  for (const build of ['wasm', 'native'] as const) {
    const { engineBytes, statementBytes, spillBytes } = planEngineMemory(minimumBytes[build], build)
    expect(statementBytes).toBeLessThan(engineBytes)
    expect(spillBytes).toBeLessThan(statementBytes)
  }
})

test('too little memory is explained with the limit, the minimum and what to do', () => {
  expect(describeShortage(1000 * MiB, 'wasm')).toBeNull()
  expect(describeShortage(512 * MiB, 'wasm')).toBe(
    'Hydrant needs at least 1000 MiB of memory with the WebAssembly build of its database, but the limit here is 512 MiB. Raise the memory limit, or set CLICKHOUSE_URL to a ClickHouse server.',
  )
  expect(describeShortage(256 * MiB, 'server')).toMatch(
    /needs at least 320 MiB .* is 256 MiB\. Raise the memory limit\.$/,
  )
})
