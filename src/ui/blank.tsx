import type { ReactNode } from 'react'

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
