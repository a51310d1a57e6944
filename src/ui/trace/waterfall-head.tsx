'use client'
import { Search } from 'lucide-react'
import type { RefObject } from 'react'
import { formatDuration } from '../format.ts'
import { Minimap } from './minimap.tsx'
import { Ruler, VitalRow, type VitalView } from './ruler.tsx'
import type { TraceView } from './use-trace-view.ts'

type Props = { view: TraceView; vitals: VitalView[]; field: RefObject<HTMLInputElement | null>; onLeave: () => void }

/** The sticky head of the waterfall: filter, minimap, time axis and web vitals. */
export function WaterfallHead({ view, vitals, field, onLeave }: Props) {
  const { shape, rows, filter, window: time } = view
  return (
    <div className="wfhead">
      <div className="wfline">
        <div className="wfcell">
          <div className="search">
            <Search className="i" aria-hidden="true" />
            <input
              ref={field}
              type="search"
              aria-label="Filter spans"
              placeholder="Filter spans"
              value={filter}
              onChange={event => view.setFilter(event.target.value)}
              onKeyDown={event => event.key === 'Escape' && onLeave()}
            />
            <kbd className="hint">F</kbd>
          </div>
        </div>
        <Minimap shape={shape} window={time} onWindow={view.setZoom} />
      </div>
      <div className="wfline thin">
        <div className="wfcell t3">
          <span>{filter ? `${rows.filter(row => row.kind === 'node').length} matching rows` : 'Span'}</span>
          {view.isZoomed ? (
            <button type="button" className="link" onClick={() => view.setZoom(null)}>
              Reset zoom
            </button>
          ) : null}
          <span>
            {formatDuration(shape.scale.undraw(time.fromUs))} to {formatDuration(shape.scale.undraw(time.toUs))} of{' '}
            {formatDuration(shape.columns.wholeUs)}
          </span>
        </div>
        <Ruler window={time} scale={shape.scale} />
      </div>
      {vitals.length > 0 ? (
        <div className="wfline thin">
          <div className="wfcell t3">
            <span>Web vitals</span>
            {vitals
              .filter(({ atUs }) => atUs === null)
              .map(({ label, text, rating }) => (
                <span key={label} className={rating}>
                  {label} {text}
                </span>
              ))}
          </div>
          <VitalRow vitals={vitals} window={time} scale={shape.scale} />
        </div>
      ) : null}
    </div>
  )
}
