import { formatOffset } from '../format.ts'
import { shorten } from '../shorten.ts'
import type { CrumbView } from './event-view.ts'

type Props = { crumbs: CrumbView[]; isLinked?: boolean; label?: string }

/** Breadcrumbs, one line each. With `isLinked`, each line has an anchor. */
export function CrumbLines({ crumbs, isLinked = false, label = 'Breadcrumbs, oldest first' }: Props) {
  return (
    <ol className="crumbs" aria-label={label}>
      {crumbs.map(crumb => (
        <Crumb key={crumb.number} crumb={crumb} isLinked={isLinked} />
      ))}
    </ol>
  )
}

function Crumb({ crumb, isLinked }: { crumb: CrumbView; isLinked: boolean }) {
  const id = `crumb-${crumb.number}`
  const when = crumb.offsetMs === null ? '–' : formatOffset(crumb.offsetMs)
  return (
    <li id={isLinked ? id : undefined} className={crumb.isBad ? 'err' : ''}>
      {isLinked ? (
        <a className="tm" href={`#${id}`} title="Link to this breadcrumb">
          {when}
        </a>
      ) : (
        <span className="tm">{when}</span>
      )}
      <span className="cat cut">{shorten(crumb.category, 40)}</span>
      <span className="m cut" title={shorten(crumb.message, 400)}>
        {shorten(crumb.message, 300)}
      </span>
      <span className={crumb.level === 'warning' ? 'x meh' : 'x'}>{crumb.result || levelWord(crumb.level)}</span>
    </li>
  )
}

const levelWord = (level: string) => (['', 'info', 'log', 'error'].includes(level) ? '' : shorten(level, 20))
