/** Where each of the engine's threads begins: it learns to read files by itself, and then becomes what Emscripten makes of it. */
import { getEnvironmentData } from 'node:worker_threads'
import { withDirectFiles } from './direct-files.ts'
import { type ThreadStart, threadStartKey } from './thread-start.ts'

const { moduleUrl, files } = getEnvironmentData(threadStartKey) as unknown as ThreadStart

const RealInstance = WebAssembly.Instance
WebAssembly.Instance = class extends RealInstance {
  constructor(module: WebAssembly.Module, imports: WebAssembly.Imports = {}) {
    super(module, withDirectFiles(imports, files))
  }
}

await import(moduleUrl)
