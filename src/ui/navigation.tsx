'use client'
import { useRouter } from 'next/navigation'
import { createContext, type ReactNode, useCallback, useContext, useTransition } from 'react'
import { PendingBar } from './link-pending.tsx'

type Options = {
  /** Instead of the current history entry. */
  isReplacing?: boolean
  /** To the top of the page, as a link to another page does. */
  isScrolling?: boolean
}
type Navigate = (href: string, options?: Options) => void

const Navigation = createContext<Navigate | null>(null)

/** Navigations by key, form and script show the same progress bar as links: React knows when their page is there. */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [isPending, startTransition] = useTransition()
  const navigate = useCallback<Navigate>(
    (href, { isReplacing = false, isScrolling = false } = {}) =>
      startTransition(() => {
        const go = isReplacing ? router.replace : router.push
        go(href, { scroll: isScrolling })
      }),
    [router],
  )
  return (
    <Navigation value={navigate}>
      {children}
      {isPending ? <PendingBar /> : null}
    </Navigation>
  )
}

/** Goes to a page of this app without loading it anew. */
export function useNavigate(): Navigate {
  const navigate = useContext(Navigation)
  if (navigate === null) throw new Error('useNavigate must be called inside NavigationProvider')
  return navigate
}
