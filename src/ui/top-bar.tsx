import type { ReactNode } from 'react'

/** The bar over every page: where one is, and what can be done with the whole page. */
export function TopBar({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <header className="top">
      {children}
      <span className="sp" />
      {actions}
    </header>
  )
}
