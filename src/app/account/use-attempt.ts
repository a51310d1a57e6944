'use client'
import { useState } from 'react'
import { describeCallFault } from '#ui/send/call-fault.ts'

/** Browsers reject with these when the person cancels, or has no key for this server. */
export const cancelled = 'No passkey was used. Try again, or choose another way.'

/** One attempt at a time, with its message. */
export function useAttempt() {
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function run(attempt: () => Promise<string | null>): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    try {
      setFault(await attempt())
    } catch (error) {
      const words = error instanceof DOMException ? cancelled : 'Something went wrong. Try again.'
      setFault(describeCallFault(error) ?? words)
    } finally {
      setBusy(false)
    }
  }
  return { fault, isBusy, run }
}
