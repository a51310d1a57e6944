'use client'
import { useRouter } from 'next/navigation'
import { createContext, type ReactNode, use, useEffect } from 'react'

const ZoneContext = createContext('UTC')

/** The time zone in which times are shown: the server and the browser render with the same. */
export const useZone = (): string => use(ZoneContext)

type Props = {
  zone: string
  /** The cookie that tells the server the browser's zone, and what it says now. */
  cookie: { name: string; value: string }
  /** Whether the person wants the browser's zone. */
  isLocal: boolean
  children: ReactNode
}

/**
 * The server cannot know the browser's time zone before the browser has told it, so that the first page of a browser is in UTC, and
 * says so. Afterwards, or when the person has traveled, the page is fetched again. Elements that show a time have
 * suppressHydrationWarning for rules of daylight saving time that only one of them knows yet.
 */
export function ZoneProvider({ zone, cookie, isLocal, children }: Props) {
  const router = useRouter()
  const { name, value } = cookie
  useEffect(() => {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
    if (!own || own === value) return
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs a secure context
    document.cookie = `${name}=${encodeURIComponent(own)}; path=/; max-age=${yearSeconds}; samesite=lax${window.location.protocol === 'https:' ? '; secure' : ''}`
    if (isLocal && own !== zone) router.refresh()
  }, [name, value, zone, isLocal, router])
  return <ZoneContext value={zone}>{children}</ZoneContext>
}

const yearSeconds = 365 * 24 * 60 * 60
