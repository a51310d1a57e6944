import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setEnvironmentData } from 'node:worker_threads'
import { escapeControl } from '#lib/text.ts'
import type { EngineMemory } from '../engine-driver.ts'
import { engineServerSettings, wasmMergeSettings, wasmServerSettings } from '../engine-settings.ts'
import { createDirectFiles, withDirectFiles } from './direct-files.ts'
import type { ChdbModule, ChdbModuleFactory } from './emscripten.ts'
import { createHostFileSystem } from './host-files.ts'
import { makeThreadsLazy } from './lazy-threads.ts'
import { type ThreadStart, threadStartKey } from './thread-start.ts'
import { loadWasmModule } from './wasm-code.ts'

const pageBytes = 65_536
const initialPages = 134_217_728 / pageBytes // as the module declares

export const wasmDataPath = '/data'

export type WasmInstance = { module: ChdbModule; memory: WebAssembly.Memory; compiled: WebAssembly.Module }
export type WasmOptions = {
  packagePath: string
  dataPath: string
  mayUseCode: boolean
  engineMemory: EngineMemory
}

/** This build takes server settings only from a `config.xml` in its working folder. */
function configXml(engineMemory: EngineMemory): string {
  const entries = Object.entries({ ...engineServerSettings(engineMemory), ...wasmServerSettings }).map(
    ([key, value]) => `<${key}>${value}</${key}>`,
  )
  const merging = Object.entries(wasmMergeSettings).map(([key, value]) => `<${key}>${value}</${key}>`)
  return `<clickhouse>${entries.join('')}<merge_tree>${merging.join('')}</merge_tree></clickhouse>`
}

/** At the maximum an allocation fails, and with it a statement; without one the kernel would kill the process. */
function createMemory({ engineBytes }: EngineMemory): WebAssembly.Memory {
  const maximumPages = Math.floor(engineBytes / pageBytes)
  // TypeScript's types do not know 64-bit memory yet.
  const descriptor = { initial: BigInt(initialPages), maximum: BigInt(maximumPages), shared: true, address: 'i64' }
  return new WebAssembly.Memory(descriptor as unknown as WebAssembly.MemoryDescriptor)
}

/** Loads the module into this thread and mounts the data folder. */
export async function createWasmInstance({
  packagePath,
  dataPath,
  mayUseCode,
  engineMemory,
}: WasmOptions): Promise<WasmInstance> {
  makeThreadsLazy()
  const compiled = loadWasmModule(packagePath, mayUseCode)
  const memory = createMemory(engineMemory)
  const moduleUrl = pathToFileURL(join(packagePath, 'dist/chdb.mjs')).href
  const files = createDirectFiles(wasmDataPath, dataPath)
  setEnvironmentData(threadStartKey, { moduleUrl, files } satisfies ThreadStart)
  const factory: { default: ChdbModuleFactory } = await import(moduleUrl)
  const module = await factory.default({
    wasmMemory: memory,
    mainScriptUrlOrBlob: join(import.meta.dirname, 'wasm-thread.ts'),
    print: () => {},
    printErr: line => process.stderr.write(`${escapeControl(line)}\n`),
    instantiateWasm: (imports, receive) =>
      receive(new WebAssembly.Instance(compiled, withDirectFiles(imports, files)), compiled),
  })
  module.FS.writeFile('/config.xml', configXml(engineMemory))
  module.FS.mkdir(wasmDataPath)
  module.FS.mount(createHostFileSystem(module.FS), { root: dataPath }, wasmDataPath)
  return { module, memory, compiled }
}
