import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { compilingFlags } from '../engine-flags.ts'

/**
 * Machine code of the WebAssembly build, made once for this machine and kept beside the package. V8 would otherwise compile
 * each function when it is first called, badly, and again, well, when it is hot: half a minute of a core in each life of the
 * engine, and a gigabyte of memory.
 */

type CodeFunctions = {
  serialize(module: WebAssembly.Module): ArrayBuffer
  /** Undefined where the code is of another V8, another processor or other flags. */
  deserialize(code: ArrayBuffer, wasm: Uint8Array): WebAssembly.Module | undefined
}

/** V8's own functions have names that only `--allow-natives-syntax` can read. */
const codeFunctions = (): CodeFunctions => ({
  serialize: new Function('module', 'return %SerializeWasmModule(module)') as CodeFunctions['serialize'],
  deserialize: new Function(
    'code',
    'wasm',
    'return %DeserializeWasmModule(code, wasm)',
  ) as CodeFunctions['deserialize'],
})

/** The saved code has no mark of the module it was made from, so its name says it. */
function codePath(packagePath: string): string {
  const { version } = JSON.parse(readFileSync(join(packagePath, 'package.json'), 'utf8')) as { version: string }
  return join(packagePath, '../../code', `chdb-wasm-${version}-v8-${process.versions.v8}-${process.arch}.bin`)
}

export function loadWasmModule(packagePath: string, mayUseCode: boolean): WebAssembly.Module {
  const wasm = readWhole(join(packagePath, 'dist/chdb.wasm'))
  const path = codePath(packagePath)
  const code = mayUseCode && existsSync(path) ? readWhole(path) : new ArrayBuffer(0)
  const known = code.byteLength > 0 ? codeFunctions().deserialize(code, new Uint8Array(wasm)) : undefined
  const module = known ?? new WebAssembly.Module(wasm)
  // V8 has copies of its own; a quarter of a gigabyte should not wait for a collector that has no reason to run.
  for (const bytes of [wasm, code]) bytes.transfer(0)
  return module
}

/** Into memory that nothing else shares, so that it can be given back at once. */
function readWhole(path: string): ArrayBuffer {
  const bytes = new Uint8Array(statSync(path).size)
  const fd = openSync(path, 'r')
  try {
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(fd, bytes, at, bytes.length - at, at)
      if (count === 0) throw new Error(`${path} became shorter while it was read`)
      at += count
    }
  } finally {
    closeSync(fd)
  }
  return bytes.buffer
}

/** Keeps what has been compiled so far, in place of what was there. */
export function saveWasmCode(packagePath: string, module: WebAssembly.Module): void {
  for (const flag of compilingFlags.off) setFlagsFromString(flag)
  const path = codePath(packagePath)
  const folder = dirname(path)
  mkdirSync(folder, { recursive: true })
  const unfinished = `${path}.${process.pid}.bin`
  writeFileSync(unfinished, new Uint8Array(codeFunctions().serialize(module)), { flush: true })
  renameSync(unfinished, path)
  const outdated = readdirSync(folder).filter(name => name.endsWith('.bin') && name !== basename(path))
  for (const name of outdated) rmSync(join(folder, name))
}
