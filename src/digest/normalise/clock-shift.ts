import { limits } from '../limits.ts'

/** How far the client's clock is off, in milliseconds to add; 0 while the difference may be the network's. */
export function clockShiftMs(sentAt: string, receivedAt: number): number {
  if (sentAt === '') return 0
  const sentAtMs = Date.parse(sentAt)
  if (Number.isNaN(sentAtMs)) return 0
  const shift = receivedAt - sentAtMs
  return Math.abs(shift) > limits.clockDriftMs ? shift : 0
}
