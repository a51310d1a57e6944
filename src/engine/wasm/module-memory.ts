import { readSync, type Stats } from 'node:fs'

type ModuleMemory = {
  /** The C string at this address. */
  readText(address: bigint): string
  writeUint64(address: bigint, value: bigint): void
  writeInt64(address: bigint, value: bigint): void
  /** Writes a `struct stat` as musl lays it out for 64-bit memory. Returns 0, as the system call does. */
  writeStats(address: bigint, stats: Stats): number
  /** Reads a file into `count` buffers (`struct iovec`). Returns the number of bytes; throws the error of the host. */
  readFileInto(hostFd: number, vectors: bigint, count: bigint, from: number): number
}

/** The module's memory as system calls use it. Views are made for each access, since another thread may have grown the memory. */
export function createModuleMemory(memory: WebAssembly.Memory): ModuleMemory {
  const view = () => new DataView(memory.buffer)

  return {
    readText: address => {
      const start = Number(address)
      const end = new Uint8Array(memory.buffer).indexOf(0, start)
      return Buffer.from(memory.buffer, start, end - start).toString()
    },
    writeUint64: (address, value) => view().setBigUint64(Number(address), value, true),
    writeInt64: (address, value) => view().setBigInt64(Number(address), value, true),
    writeStats: (address, stats) => {
      const at = Number(address)
      const to = view()
      to.setUint32(at, stats.dev, true)
      to.setUint32(at + 4, stats.mode, true)
      to.setBigUint64(at + 8, BigInt(stats.nlink), true)
      to.setUint32(at + 16, stats.uid, true)
      to.setUint32(at + 20, stats.gid, true)
      to.setUint32(at + 24, stats.rdev, true)
      to.setBigInt64(at + 32, BigInt(stats.size), true)
      to.setInt32(at + 40, 4096, true)
      to.setInt32(at + 44, Math.ceil(stats.size / 512), true)
      for (const [index, ms] of [stats.atimeMs, stats.mtimeMs, stats.ctimeMs].entries()) {
        to.setBigInt64(at + 48 + index * 16, BigInt(Math.floor(ms / 1e3)), true)
        to.setBigUint64(at + 56 + index * 16, BigInt(Math.floor(ms % 1e3)) * 1_000_000n, true)
      }
      to.setBigInt64(at + 96, BigInt(stats.ino), true)
      return 0
    },
    readFileInto: (hostFd, vectors, count, from) => {
      let total = 0
      for (let index = 0; index < Number(count); index++) {
        const at = Number(vectors) + index * 16
        const start = Number(view().getBigUint64(at, true))
        const length = Number(view().getBigUint64(at + 8, true))
        const read = readSync(hostFd, new Uint8Array(memory.buffer, start, length), 0, length, from + total)
        total += read
        if (read < length) break
      }
      return total
    },
  }
}
