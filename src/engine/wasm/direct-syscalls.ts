/**
 * System calls that read host files from the calling thread. Their descriptors start at `firstDescriptor`, far above Emscripten's,
 * so each call knows whose descriptor it got. Anything but reading a file of the data folder goes to the original call.
 */
import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs'
import { createModuleMemory } from './module-memory.ts'

export type DirectFiles = {
  /** The data folder as the engine sees it. */
  mountPoint: string
  /** The same folder on the host. */
  root: string
  /** The read position of each open file, by host descriptor; shared by all threads. */
  positions: BigInt64Array<SharedArrayBuffer>
}

export type Syscalls = {
  ___syscall_openat(folder: number, path: bigint, flags: number, more: bigint): number
  ___syscall_stat64(path: bigint, result: bigint): number
  ___syscall_fstat64(fd: number, result: bigint): number
  ___syscall_fcntl64(fd: number, command: number, more: bigint): number
  _fd_close(fd: number): number
  _fd_read(fd: number, vectors: bigint, count: bigint, done: bigint): number
  _fd_pread(fd: number, vectors: bigint, count: bigint, offset: bigint, done: bigint): number
  _fd_seek(fd: number, offset: bigint, whence: number, position: bigint): number
}

export const syscallNames = [
  '___syscall_openat',
  '___syscall_stat64',
  '___syscall_fstat64',
  '___syscall_fcntl64',
  '_fd_close',
  '_fd_read',
  '_fd_pread',
  '_fd_seek',
] as const satisfies (keyof Syscalls)[]

const firstDescriptor = 1 << 20
const closeOnExec = 0o2000000
const largeFile = 0o100000
const command = { getDescriptorFlags: 1, setDescriptorFlags: 2, getFlags: 3 }
const badFileDescriptor = 8
const ioError = 29

export function createDirectSyscalls(
  memory: WebAssembly.Memory,
  { mountPoint, root, positions }: DirectFiles,
  original: Syscalls,
): Syscalls {
  const module = createModuleMemory(memory)
  /** Negative for a descriptor of Emscripten. */
  const hostFdOf = (fd: number): number => fd - firstDescriptor

  /** Undefined for a path outside of the data folder. */
  function hostPathAt(address: bigint): string | undefined {
    const path = module.readText(address)
    return path.startsWith(`${mountPoint}/`) && !path.includes('/..') ? root + path.slice(mountPoint.length) : undefined
  }

  return {
    ___syscall_openat: (folder, path, flags, more) => {
      const isReadOnly = (flags & ~(closeOnExec | largeFile)) === constants.O_RDONLY
      const hostPath = isReadOnly ? hostPathAt(path) : undefined
      const hostFd = hostPath === undefined ? undefined : openFile(hostPath, positions.length)
      if (hostFd === undefined) return original.___syscall_openat(folder, path, flags, more)
      Atomics.store(positions, hostFd, 0n)
      return firstDescriptor + hostFd
    },
    ___syscall_stat64: (path, result) => {
      const hostPath = hostPathAt(path)
      const stats = hostPath === undefined ? undefined : statSync(hostPath, { throwIfNoEntry: false })
      return stats ? module.writeStats(result, stats) : original.___syscall_stat64(path, result)
    },
    ___syscall_fstat64: (fd, result) => {
      const hostFd = hostFdOf(fd)
      return hostFd < 0 ? original.___syscall_fstat64(fd, result) : module.writeStats(result, fstatSync(hostFd))
    },
    ___syscall_fcntl64: (fd, requested, more) => {
      if (hostFdOf(fd) < 0) return original.___syscall_fcntl64(fd, requested, more)
      if (requested === command.getFlags) return constants.O_RDONLY
      const isHarmless = requested === command.getDescriptorFlags || requested === command.setDescriptorFlags
      return isHarmless ? 0 : original.___syscall_fcntl64(fd, requested, more)
    },
    _fd_close: fd => {
      const hostFd = hostFdOf(fd)
      if (hostFd < 0) return original._fd_close(fd)
      try {
        closeSync(hostFd)
        return 0
      } catch {
        return badFileDescriptor
      }
    },
    _fd_pread: (fd, vectors, count, offset, done) => {
      const hostFd = hostFdOf(fd)
      if (hostFd < 0) return original._fd_pread(fd, vectors, count, offset, done)
      try {
        module.writeUint64(done, BigInt(module.readFileInto(hostFd, vectors, count, Number(offset))))
        return 0
      } catch {
        return ioError
      }
    },
    _fd_read: (fd, vectors, count, done) => {
      const hostFd = hostFdOf(fd)
      if (hostFd < 0) return original._fd_read(fd, vectors, count, done)
      try {
        const from = Atomics.load(positions, hostFd)
        const total = BigInt(module.readFileInto(hostFd, vectors, count, Number(from)))
        Atomics.store(positions, hostFd, from + total)
        module.writeUint64(done, total)
        return 0
      } catch {
        return ioError
      }
    },
    _fd_seek: (fd, offset, whence, position) => {
      const hostFd = hostFdOf(fd)
      if (hostFd < 0) return original._fd_seek(fd, offset, whence, position)
      const base =
        [0n, Atomics.load(positions, hostFd), whence === 2 ? BigInt(fstatSync(hostFd).size) : 0n][whence] ?? 0n
      Atomics.store(positions, hostFd, base + offset)
      module.writeInt64(position, base + offset)
      return 0
    },
  }
}

/** Undefined for a folder and for any error: the original call then returns the right error code. */
function openFile(path: string, maxDescriptors: number): number | undefined {
  let hostFd: number
  try {
    hostFd = openSync(path, constants.O_RDONLY)
  } catch {
    return undefined
  }
  if (hostFd < maxDescriptors && fstatSync(hostFd).isFile()) return hostFd
  closeSync(hostFd)
  return undefined
}
