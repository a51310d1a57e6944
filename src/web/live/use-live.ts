'use client'
import { useEffect, useEffectEvent } from 'react'
import type { Pulse } from '#queries/list-pulses.ts'
import { watchLive } from './watch-live.ts'

/** Calls back when something has arrived for the organisation's projects, while this tab is open. */
export function useLive(organization: string, onPulses: (pulses: Pulse[]) => void): void {
  const hear = useEffectEvent(onPulses)
  useEffect(() => watchLive(organization, pulses => hear(pulses)), [organization])
}
