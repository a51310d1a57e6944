'use client'
import { formatBoth } from '../format.ts'
import { useZone } from './zone-provider.tsx'

/** Says that a text was edited, with the time on hover. */
export const Edited = ({ at }: { at: number }) => <span title={`edited ${formatBoth(at, useZone())}`}> (edited)</span>
