/** Buffers a body until it is accepted: in memory while it is small, otherwise in a spool file. */
import type { SpooledBody } from '#inbox/spool.ts'
import type { InboxPort, SpoolWriter } from './ports.ts'

const MiB = 1024 * 1024
/** Each larger body gets its own file, which keeps the inbox log and digest's memory small. */
const maxHeldBytes = 1 * MiB
/** For all bodies in memory together: when a thousand clients send concurrently, bodies go to disk earlier. */
const maxHeldTogetherBytes = 64 * MiB

/** Shared by all requests of a process. */
export type HeldMemory = { bytes: number }

export const hasRoomTogether = (memory: HeldMemory, bytes: number): boolean =>
  memory.bytes + bytes <= maxHeldTogetherBytes

export type BodySink = {
  hasRoom(chunk: Buffer): boolean
  isSpooling(): boolean
  hold(chunk: Buffer): void
  /** Opens the file with the first chunk; false when the write fails. */
  spool(chunk: Buffer): Promise<boolean>
  bytes(): Buffer
  /** Null while the body is in memory. */
  finishSpool(): Promise<SpooledBody | null>
  /** Drops the body and removes its file, also a finished one. */
  discard(): Promise<void>
  release(): void
}

export function createBodySink(inbox: InboxPort, memory: HeldMemory, onError: (error: unknown) => void): BodySink {
  let chunks: Buffer[] = []
  let heldBytes = 0
  let writer: SpoolWriter | null = null
  let lastWrite: Promise<unknown> = Promise.resolve()

  async function write(chunk: Buffer): Promise<boolean> {
    try {
      writer ??= await inbox.spool()
      for (const earlier of chunks) await writer.write(earlier)
      release()
      await writer.write(chunk)
      return true
    } catch (error) {
      onError(error)
      return false
    }
  }

  function release() {
    memory.bytes -= heldBytes
    heldBytes = 0
    chunks = []
  }

  return {
    hasRoom: chunk =>
      writer === null && heldBytes + chunk.length <= maxHeldBytes && hasRoomTogether(memory, chunk.length),
    isSpooling: () => writer !== null,
    hold(chunk) {
      chunks.push(chunk)
      heldBytes += chunk.length
      memory.bytes += chunk.length
    },
    spool(chunk) {
      const written = write(chunk)
      lastWrite = written
      return written
    },
    bytes: () => (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    finishSpool: async () => (writer === null ? null : writer.finish()),
    async discard() {
      await lastWrite
      release()
      await writer?.discard()
    },
    release,
  }
}
