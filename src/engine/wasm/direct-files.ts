import { createDirectSyscalls, type DirectFiles, type Syscalls, syscallNames } from './direct-syscalls.ts'

/** As many descriptors of the host as we keep read positions for. */
const maxDescriptors = 1 << 16

export const createDirectFiles = (mountPoint: string, root: string): DirectFiles => ({
  mountPoint,
  root,
  positions: new BigInt64Array(new SharedArrayBuffer(maxDescriptors * BigInt64Array.BYTES_PER_ELEMENT)),
})

/**
 * Replaces the system calls for reading files in the module's imports. Emscripten's file system lives in one thread; every other
 * thread sends it a message to open, read or close a file and waits up to a millisecond, dozens of times per query. With these
 * imports each thread reads files itself. The imports have minified names, so the functions are found by their own names; if one is
 * missing, nothing is replaced.
 */
export function withDirectFiles(imports: WebAssembly.Imports, files: DirectFiles): WebAssembly.Imports {
  const all = Object.entries(imports).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]) => ({ group, name, value })),
  )
  const memory = all.find(({ value }) => value instanceof WebAssembly.Memory)?.value as WebAssembly.Memory | undefined
  const found = syscallNames.flatMap(name =>
    all.filter(({ value }) => typeof value === 'function' && value.name === name),
  )
  if (!memory || found.length !== syscallNames.length) return imports
  const original = Object.fromEntries(
    found.map(({ value }) => [(value as () => void).name, value]),
  ) as unknown as Syscalls
  const direct = createDirectSyscalls(memory, files, original)
  const replaced: WebAssembly.Imports = Object.fromEntries(
    Object.entries(imports).map(([group, values]) => [group, { ...values }]),
  )
  for (const { group, name, value } of found) {
    const values = replaced[group]
    if (values) values[name] = direct[(value as () => void).name as keyof Syscalls]
  }
  return replaced
}
