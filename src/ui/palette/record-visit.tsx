'use client'
import { useEffect } from 'react'
import { rememberItem } from './recent-items.ts'

type Props = { organizationSlug: string; userId: string; href: string; label: string; note: string }

/** Makes the page a recent item of the palette. */
export function RecordVisit({ organizationSlug, userId, href, label, note }: Props) {
  useEffect(
    () => rememberItem({ base: `/${organizationSlug}`, userId }, { id: href, label, note, href }),
    [organizationSlug, userId, href, label, note],
  )
  return null
}
