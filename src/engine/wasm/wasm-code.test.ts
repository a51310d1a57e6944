import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadWasmModule, saveWasmCode } from './wasm-code.ts'

setFlagsFromString('--allow-natives-syntax')

/** A module with one function, `f`, that returns 42. */
const wasm = Buffer.from('0061736d010000000105016000017f03020100070501016600000a06010400412a0b', 'hex')
let root: string
let packagePath: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wasm-code-'))
  packagePath = join(root, 'node_modules', 'chdb-wasm')
  mkdirSync(join(packagePath, 'dist'), { recursive: true })
  writeFileSync(join(packagePath, 'package.json'), '{"version":"1.2.3"}')
  writeFileSync(join(packagePath, 'dist/chdb.wasm'), wasm)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(root, { recursive: true })
})

function answerOf(module: WebAssembly.Module): unknown {
  const { f } = new WebAssembly.Instance(module).exports
  if (typeof f !== 'function') throw new Error('no function f')
  new Function('f', '%WasmTierUpFunction(f)')(f)
  return f()
}

function saved(): string {
  const module = loadWasmModule(packagePath, true)
  expect(answerOf(module)).toBe(42)
  saveWasmCode(packagePath, module)
  const names = readdirSync(join(root, 'code'))
  expect(names).toHaveLength(1)
  return join(root, 'code', names[0] ?? '')
}

test('saved code is not compiled again', () => {
  saved()
  const compiler = vi.spyOn(WebAssembly, 'Module')
  expect(answerOf(loadWasmModule(packagePath, true))).toBe(42)
  expect(compiler).not.toHaveBeenCalled()
})

test('code of another V8 or other flags is ignored, and so is all saved code on request', () => {
  const path = saved()
  expect(answerOf(loadWasmModule(packagePath, false))).toBe(42)
  const foreign = readFileSync(path)
  foreign.fill(0xff, 4, 16) // version, processor and flags follow the magic number
  writeFileSync(path, foreign)
  expect(answerOf(loadWasmModule(packagePath, true))).toBe(42)
})

test('saving deletes the code of an older engine', () => {
  const before = saved()
  writeFileSync(join(packagePath, 'package.json'), '{"version":"1.2.4"}')
  expect(saved()).not.toBe(before)
})
