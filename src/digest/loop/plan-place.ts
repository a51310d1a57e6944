import type { LoopOptions } from './digest-loop.ts'

/** Where plans are made and kept. */
export const planPlace = ({ control, stores, source }: LoopOptions) => ({
  control,
  telemetry: stores.telemetry,
  inboxId: source.inboxId,
})
