'use client'
import { Bell as BellIcon } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import { NavLink } from '#ui/nav-link.tsx'
import { useLive } from '#web/live/use-live.ts'
import { setUnread, type Unread, useUnread } from './unread.ts'

type Props = { organizationSlug: string; unread: Unread }

/** Notifications follow a batch of events by about a second. */
const settleMs = 2_000

/** The link to the notifications with the number of unread ones, which follows what arrives. */
export function Bell({ organizationSlug, unread: atStart }: Props) {
  const { notifications } = useUnread(atStart)
  const path = usePathname()
  const recount = useCallback(async () => {
    const response = await fetch(`/api/unread?org=${encodeURIComponent(organizationSlug)}`).catch(() => null)
    if (response?.ok) setUnread((await response.json()) as Unread)
  }, [organizationSlug])
  // A page that was opened may have read some; the first one came with the number.
  const countedOn = useRef(path)
  useEffect(() => {
    if (countedOn.current === path) return
    countedOn.current = path
    void recount()
  }, [recount, path])
  const { notifications: notificationsAtStart, feedback: feedbackAtStart } = atStart
  useEffect(
    () => setUnread({ notifications: notificationsAtStart, feedback: feedbackAtStart }),
    [notificationsAtStart, feedbackAtStart],
  )
  const [arrived, setArrived] = useState(0)
  useLive(organizationSlug, () => setArrived(count => count + 1))
  useEffect(() => {
    if (arrived === 0) return
    const timer = setTimeout(recount, settleMs)
    return () => clearTimeout(timer)
  }, [arrived, recount])
  return (
    <NavLink href={`/${organizationSlug}/notifications`}>
      <BellIcon className="i" aria-hidden="true" />
      <span>Notifications</span>
      <UnreadCount unread={notifications} />
    </NavLink>
  )
}

/** The bell of narrow screens. */
export function BellTab({ organizationSlug, unread: atStart }: Props) {
  const { notifications } = useUnread(atStart)
  return (
    <NavLink href={`/${organizationSlug}/notifications`}>
      <BellIcon className="i" aria-hidden="true" />
      Bell
      <UnreadCount unread={notifications} />
    </NavLink>
  )
}

/** Beside the name of the page. */
export function FeedbackCount({ unread: atStart }: Pick<Props, 'unread'>) {
  return <UnreadCount unread={useUnread(atStart).feedback} />
}

function UnreadCount({ unread }: { unread: number }) {
  if (unread === 0) return null
  return (
    <span className="n">
      {unread > 99 ? '99+' : unread}
      <span className="sr"> unread</span>
    </span>
  )
}
