import { cookies } from 'next/headers'
import { cache } from 'react'
import { parseZone } from '#lib/time-zone.ts'

export const timeChoices = ['local', 'UTC'] as const
export type TimeChoice = (typeof timeChoices)[number]
export const timeChoiceCookie = 'hydrant-times'
/** The browser writes it (ui/time/zone-provider.tsx). */
const zoneCookie = 'hydrant-zone'

type ReaderZone = {
  /** The zone of all times on the page. */
  zone: string
  choice: TimeChoice
  /** What the browser has said about itself. */
  cookie: { name: string; value: string }
}

/** The time zone of the reader, cached per request. Before the browser has named its zone, it is UTC. */
export const readTimeZone = cache(async (): Promise<ReaderZone> => {
  const jar = await cookies()
  const value = jar.get(zoneCookie)?.value ?? ''
  const chosen = jar.get(timeChoiceCookie)?.value
  const choice = timeChoices.find(each => each === chosen) ?? 'local'
  const zone = choice === 'UTC' ? 'UTC' : (parseZone(value) ?? 'UTC')
  return { zone, choice, cookie: { name: zoneCookie, value } }
})
