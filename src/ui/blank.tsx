import type { ReactNode } from 'react'
import { explainFailure } from './explain-failure.ts'
import { RetryButton } from './retry-button.tsx'

type BlankProps = {
  title: string
  children?: ReactNode
  actions?: ReactNode
  icon?: ReactNode
  reference?: string | undefined
  isPage?: boolean
}

/** An empty or error state: what is missing, why, and the next step. */
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

/** Shown when the query of one panel failed; the rest of the page works. */
export function FailedPanel({ what, reference }: { what: string; reference: string }) {
  return (
    <div className="pane" role="alert">
      <Blank title={`${what} could not be loaded`} actions={<RetryButton />} reference={reference}>
        {explainFailure(reference)}
      </Blank>
    </div>
  )
}
