/** Entry script of the engine's threads: installs direct file access, then loads Emscripten's module. */
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
