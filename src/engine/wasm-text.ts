import type { WasmInstance } from './wasm-instance.ts'

const terminator = 1

/** Copies bytes into the engine's memory as one C string. The caller frees it. */
export function allocateText({ module, memory }: WasmInstance, ...parts: (string | Uint8Array)[]): bigint {
  const chunks = parts.map(part => (typeof part === 'string' ? Buffer.from(part) : part))
  const sizeBytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  const address = module._malloc(sizeBytes + terminator)
  if (address === 0) throw new Error(`The engine has no ${sizeBytes} bytes of memory left for a statement`)
  // A fresh view each time: another thread may have grown the memory.
  const heap = new Uint8Array(memory.buffer)
  let offset = address
  for (const chunk of chunks) {
    heap.set(chunk, offset)
    offset += chunk.byteLength
  }
  heap[offset] = 0
  return BigInt(address)
}
