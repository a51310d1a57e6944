/**
 * Saves and loads the machine code of the WebAssembly build, next to the package. Without it V8 compiles each function on its first
 * call and again when it is hot: half a minute of CPU time and a gigabyte of memory in each process.
 */
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

type CodeFunctions = {
  serialize(module: WebAssembly.Module): ArrayBuffer
  /** Undefined for code of another V8 version, processor or set of flags. */
  deserialize(code: ArrayBuffer, wasm: Uint8Array): WebAssembly.Module | undefined
}

/** V8's native functions; the syntax needs `--allow-natives-syntax`. */
const codeFunctions = (): CodeFunctions => ({
  serialize: new Function('module', 'return %SerializeWasmModule(module)') as CodeFunctions['serialize'],
  deserialize: new Function(
    'code',
    'wasm',
    'return %DeserializeWasmModule(code, wasm)',
  ) as CodeFunctions['deserialize'],
})

/** The saved code does not identify its module, so the file name does. */
function codePath(packagePath: string): string {
  const { version } = JSON.parse(readFileSync(join(packagePath, 'package.json'), 'utf8')) as { version: string }
  return join(packagePath, '../../code', `chdb-wasm-${version}-v8-${process.versions.v8}-${process.arch}.bin`)
}

export function loadWasmModule(packagePath: string, mayUseCode: boolean): WebAssembly.Module {
  const wasm = readWhole(join(packagePath, 'dist/chdb.wasm'))
  const path = codePath(packagePath)
  const code = mayUseCode && existsSync(path) ? readWhole(path) : new ArrayBuffer(0)
  const saved = code.byteLength > 0 ? codeFunctions().deserialize(code, new Uint8Array(wasm)) : undefined
  const module = saved ?? new WebAssembly.Module(wasm)
  // V8 has its own copies. Frees a quarter of a gigabyte now, because nothing else would trigger a garbage collection.
  for (const bytes of [wasm, code]) bytes.transfer(0)
  return module
}

/** Reads into an unshared buffer, which can be freed immediately. */
function readWhole(path: string): ArrayBuffer {
  const bytes = new Uint8Array(statSync(path).size)
  const fd = openSync(path, 'r')
  try {
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(fd, bytes, at, bytes.length - at, at)
      if (count === 0) throw new Error(`${path} was truncated while it was read`)
      at += count
    }
  } finally {
    closeSync(fd)
  }
  return bytes.buffer
}

/** Saves the code compiled so far and deletes older files. */
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
