import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'

/**
 * Files that are only read, without the way through Emscripten's file system. That lives in one thread, and every other one that
 * opens, reads or closes a file asks it and waits up to a millisecond for the answer; a question opens dozens. So each thread does it by
 * itself, on descriptors of the machine that are told from Emscripten's by their size. Whatever is unusual goes the old way.
 */
const firstDescriptor = 1 << 20
const mostDescriptors = 1 << 16

export type DirectFiles = {
  /** The folder as the engine sees it, and as the machine does. */
  mountPoint: string
  root: string
  /** Where each file is read next. */
  positions: BigInt64Array<SharedArrayBuffer>
}

export const createDirectFiles = (mountPoint: string, root: string): DirectFiles => ({
  mountPoint,
  root,
  positions: new BigInt64Array(new SharedArrayBuffer(mostDescriptors * BigInt64Array.BYTES_PER_ELEMENT)),
})

type Syscalls = {
  ___syscall_openat(folder: number, path: bigint, flags: number, more: bigint): number
  ___syscall_stat64(path: bigint, result: bigint): number
  ___syscall_fstat64(fd: number, result: bigint): number
  ___syscall_fcntl64(fd: number, command: number, more: bigint): number
  _fd_close(fd: number): number
  _fd_read(fd: number, vectors: bigint, count: bigint, done: bigint): number
  _fd_pread(fd: number, vectors: bigint, count: bigint, offset: bigint, done: bigint): number
  _fd_seek(fd: number, offset: bigint, whence: number, position: bigint): number
}

const names = [
  '___syscall_openat',
  '___syscall_stat64',
  '___syscall_fstat64',
  '___syscall_fcntl64',
  '_fd_close',
  '_fd_read',
  '_fd_pread',
  '_fd_seek',
] as const satisfies (keyof Syscalls)[]

/**
 * The module's imports with our own functions in the place of some. They have short names of the day; the functions behind them have
 * their own. Where one is missing, nothing changes.
 */
export function withDirectFiles(imports: WebAssembly.Imports, files: DirectFiles): WebAssembly.Imports {
  const all = Object.entries(imports).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]) => ({ group, name, value })),
  )
  const memory = all.find(({ value }) => value instanceof WebAssembly.Memory)?.value as WebAssembly.Memory | undefined
  const found = names.flatMap(name => all.filter(({ value }) => typeof value === 'function' && value.name === name))
  if (!memory || found.length !== names.length) return imports
  const asked = Object.fromEntries(found.map(({ value }) => [(value as () => void).name, value])) as unknown as Syscalls
  const direct = directSyscalls(memory, files, asked)
  const changed: WebAssembly.Imports = Object.fromEntries(
    Object.entries(imports).map(([group, values]) => [group, { ...values }]),
  )
  for (const { group, name, value } of found) {
    const values = changed[group]
    if (values) values[name] = direct[(value as () => void).name as keyof Syscalls]
  }
  return changed
}

const closeOnExec = 0o2000000
const largeFile = 0o100000
const command = { getDescriptorFlags: 1, setDescriptorFlags: 2, getFlags: 3 }
const badFileDescriptor = 8
const inputOutputError = 29

function directSyscalls(
  memory: WebAssembly.Memory,
  { mountPoint, root, positions }: DirectFiles,
  ask: Syscalls,
): Syscalls {
  const hostFdOf = (fd: number): number => fd - firstDescriptor // below 0 where it is not ours
  const view = () => new DataView(memory.buffer)

  /** Undefined where the path leads elsewhere. */
  function hostPathAt(address: bigint): string | undefined {
    const start = Number(address)
    const end = new Uint8Array(memory.buffer).indexOf(0, start)
    const path = Buffer.from(memory.buffer, start, end - start).toString()
    return path.startsWith(`${mountPoint}/`) && !path.includes('/..') ? root + path.slice(mountPoint.length) : undefined
  }

  /** Fills the vectors from there on; throws what the machine says. */
  function readAt(hostFd: number, vectors: bigint, count: bigint, from: number): number {
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
  }

  /** As musl lays it out for 64-bit memory. */
  function writeStats(address: bigint, stats: Stats): number {
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
  }

  return {
    ___syscall_openat: (folder, path, flags, more) => {
      const host = (flags & ~(closeOnExec | largeFile)) === constants.O_RDONLY ? hostPathAt(path) : undefined
      const hostFd = host === undefined ? undefined : openFile(host)
      if (hostFd === undefined) return ask.___syscall_openat(folder, path, flags, more)
      Atomics.store(positions, hostFd, 0n)
      return firstDescriptor + hostFd
    },
    ___syscall_stat64: (path, result) => {
      const host = hostPathAt(path)
      const stats = host === undefined ? undefined : statSync(host, { throwIfNoEntry: false })
      return stats ? writeStats(result, stats) : ask.___syscall_stat64(path, result)
    },
    ___syscall_fstat64: (fd, result) => {
      const hostFd = hostFdOf(fd)
      return hostFd < 0 ? ask.___syscall_fstat64(fd, result) : writeStats(result, fstatSync(hostFd))
    },
    ___syscall_fcntl64: (fd, wanted, more) => {
      if (hostFdOf(fd) < 0) return ask.___syscall_fcntl64(fd, wanted, more)
      if (wanted === command.getFlags) return constants.O_RDONLY
      const isHarmless = wanted === command.getDescriptorFlags || wanted === command.setDescriptorFlags
      return isHarmless ? 0 : ask.___syscall_fcntl64(fd, wanted, more)
    },
    _fd_close: fd => {
      const hostFd = hostFdOf(fd)
      if (hostFd < 0) return ask._fd_close(fd)
      try {
        closeSync(hostFd)
        return 0
      } catch {
        return badFileDescriptor
      }
    },
    _fd_pread: (fd, vectors, count, offset, done) => {
      const hostFd = hostFdOf(fd)
      if (hostFd < 0) return ask._fd_pread(fd, vectors, count, offset, done)
      try {
        view().setBigUint64(Number(done), BigInt(readAt(hostFd, vectors, count, Number(offset))), true)
        return 0
      } catch {
        return inputOutputError
      }
    },
    _fd_read: (fd, vectors, count, done) => {
      const hostFd = hostFdOf(fd)
      if (hostFd < 0) return ask._fd_read(fd, vectors, count, done)
      try {
        const from = Atomics.load(positions, hostFd)
        const total = BigInt(readAt(hostFd, vectors, count, Number(from)))
        Atomics.store(positions, hostFd, from + total)
        view().setBigUint64(Number(done), total, true)
        return 0
      } catch {
        return inputOutputError
      }
    },
    _fd_seek: (fd, offset, whence, position) => {
      const hostFd = hostFdOf(fd)
      if (hostFd < 0) return ask._fd_seek(fd, offset, whence, position)
      const base =
        [0n, Atomics.load(positions, hostFd), whence === 2 ? BigInt(fstatSync(hostFd).size) : 0n][whence] ?? 0n
      Atomics.store(positions, hostFd, base + offset)
      view().setBigInt64(Number(position), base + offset, true)
      return 0
    },
  }
}

/** Undefined where it is no file, or is not to be had: whoever is asked then finds the words for it. */
function openFile(path: string): number | undefined {
  let hostFd: number
  try {
    hostFd = openSync(path, constants.O_RDONLY)
  } catch {
    return undefined
  }
  if (hostFd < mostDescriptors && fstatSync(hostFd).isFile()) return hostFd
  closeSync(hostFd)
  return undefined
}
