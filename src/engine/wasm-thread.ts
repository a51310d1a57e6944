/** Where each of the engine's threads begins: it learns to read files by itself, and then becomes what Emscripten makes of it. */
import { readSync } from 'node:fs'
import { getEnvironmentData } from 'node:worker_threads'
import { findDescriptor } from './host-descriptors.ts'
import { type ThreadStart, threadStartKey } from './thread-start.ts'

type Read = (fd: number, vectors: bigint, count: bigint, offset: bigint, done: bigint) => number

const { moduleUrl, descriptors } = getEnvironmentData(threadStartKey) as unknown as ThreadStart

const RealInstance = WebAssembly.Instance
WebAssembly.Instance = class extends RealInstance {
  constructor(module: WebAssembly.Module, imports: WebAssembly.Imports = {}) {
    super(module, withOwnReads(imports))
  }
}

/** The module's imports have short names of the day; the functions behind them have their own. Where it is missing, nothing changes. */
function withOwnReads(imports: WebAssembly.Imports): WebAssembly.Imports {
  const all = Object.entries(imports).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]) => ({ group, name, value })),
  )
  const memory = all.find(({ value }) => value instanceof WebAssembly.Memory)?.value as WebAssembly.Memory | undefined
  const read = all.find(({ value }) => typeof value === 'function' && value.name === '_fd_pread')
  if (!memory || !read) return imports
  const { group, name, value } = read
  return { ...imports, [group]: { ...imports[group], [name]: readDirectly(memory, value as Read) } }
}

function readDirectly(memory: WebAssembly.Memory, ask: Read): Read {
  return (fd, vectors, count, offset, done) => {
    const hostFd = findDescriptor(descriptors, fd)
    if (hostFd < 0) return ask(fd, vectors, count, offset, done)
    const view = new DataView(memory.buffer)
    let position = Number(offset)
    let total = 0
    for (let index = 0; index < Number(count); index++) {
      const at = Number(vectors) + index * 16
      const start = Number(view.getBigUint64(at, true))
      const length = Number(view.getBigUint64(at + 8, true))
      let read = 0
      try {
        read = readSync(hostFd, new Uint8Array(memory.buffer, start, length), 0, length, position)
      } catch {
        return ask(fd, vectors, count, offset, done) // the file system finds the words for what is wrong
      }
      position += read
      total += read
      if (read < length) break
    }
    view.setBigUint64(Number(done), BigInt(total), true)
    return 0
  }
}

await import(moduleUrl)
