/** Between digest, which commits log lines, and web, where somebody watches them. */
import type { FromDigest } from '#digest/run-digest-thread.ts'

type TailMessage = Extract<FromDigest, { type: 'tailing' | 'lines' }>
/** What web sends: whether any stream is open. */
export type TailRequest = { type: 'tail'; isOn: boolean }

export const isTailRequest = (message: unknown): message is TailRequest =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'tail' && 'isOn' in message

export type TailRelay = ReturnType<typeof createTailRelay>

export function createTailRelay() {
  let isOn = false
  let toDigest: ((isOn: boolean) => void) | null = null
  let toWeb: (message: TailMessage) => void = () => undefined
  let hasDigest = true
  return {
    fromWeb(request: TailRequest): void {
      isOn = request.isOn
      toDigest?.(isOn)
      if (isOn && !hasDigest) toWeb({ type: 'tailing', inboxId: '', batch: 0 })
    },
    fromDigest: (message: TailMessage): void => toWeb(message),
    /** A web process has started: nobody watches yet. */
    connectWeb(send: (message: TailMessage) => void): void {
      toWeb = send
      if (isOn) toDigest?.(false)
      isOn = false
    },
    /** Null if this node has no digest. */
    connectDigest(tail: ((isOn: boolean) => void) | null): void {
      toDigest = tail
      hasDigest = tail !== null
      if (isOn) tail === null ? toWeb({ type: 'tailing', inboxId: '', batch: 0 }) : tail(true)
    },
  }
}
