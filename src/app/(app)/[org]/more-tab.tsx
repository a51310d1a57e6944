'use client'
import { Ellipsis } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useId, useRef } from 'react'

/** The pages that have no tab. The browser opens and closes it; going to a page closes it too. */
export function MoreTab({ children }: { children: ReactNode }) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const path = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the page changes
  useEffect(() => menu.current?.hidePopover(), [path])
  return (
    <>
      <button type="button" className="tab" popoverTarget={id}>
        <Ellipsis className="i" aria-hidden="true" />
        More
      </button>
      <div id={id} popover="auto" className="more" ref={menu}>
        {children}
      </div>
    </>
  )
}
