import type { ReactNode } from 'react'
import { RetryButton } from './retry-button.tsx'

type BlankProps = {
  title: string
  children?: ReactNode
  actions?: ReactNode
  icon?: ReactNode
  reference?: string | undefined
  isPage?: boolean
}

/** What stands where there is nothing to show: what is missing, why, and one way on. Never an illustration. */
export function Blank({ title, children, actions, icon, reference, isPage = false }: BlankProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={isPage ? 'void page' : 'void'}>
      {icon}
      <Heading>{title}</Heading>
      {children ? <p>{children}</p> : null}
      {actions ? <div className="row">{actions}</div> : null}
      {reference ? <p className="meta">{reference}</p> : null}
    </div>
  )
}

/** One panel could not be read; the rest of the page stands. */
export function FailedPanel({ what, reference }: { what: string; reference: string }) {
  return (
    <div className="pane" role="alert">
      <Blank title={`${what} could not be loaded`} actions={<RetryButton />} reference={reference}>
        The database did not answer. Events are still being received and kept.
      </Blank>
    </div>
  )
}
