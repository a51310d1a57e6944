/**
 * Which of the machine's file descriptors stands behind each of the engine's, for all of its threads: so that one of them can read a
 * file by itself. The file system lives in one thread alone, and asking that one costs up to a millisecond a time.
 */
const mostDescriptors = 4096 // as many streams as Emscripten allows

/** 0 where there is none, else the descriptor and one. */
export type HostDescriptors = Int32Array<SharedArrayBuffer>

export const createHostDescriptors = (): HostDescriptors =>
  new Int32Array(new SharedArrayBuffer(mostDescriptors * Int32Array.BYTES_PER_ELEMENT))

export const noteDescriptor = (table: HostDescriptors, fd: number, hostFd: number): void => {
  Atomics.store(table, fd, hostFd + 1)
}

export const forgetDescriptor = (table: HostDescriptors, fd: number): void => {
  Atomics.store(table, fd, 0)
}

export const findDescriptor = (table: HostDescriptors, fd: number): number => Atomics.load(table, fd) - 1
