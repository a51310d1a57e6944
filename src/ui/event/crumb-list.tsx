'use client'
import { useEffect, useState } from 'react'
import { CrumbLines } from './crumb-lines.tsx'
import type { CrumbKind, CrumbView } from './event-view.ts'

const kinds: { kind: CrumbKind; label: string }[] = [
  { kind: 'error', label: 'Errors' },
  { kind: 'network', label: 'Network' },
  { kind: 'console', label: 'Console' },
  { kind: 'navigation', label: 'Navigation' },
  { kind: 'interaction', label: 'Interaction' },
]

const newestShown = 25
const foldAbove = 35 // hiding only a few is not worth a click

/** Breadcrumbs with a filter. Without JavaScript the list is complete and has no filter. */
export function CrumbList({ crumbs }: { crumbs: CrumbView[] }) {
  const [kind, setKind] = useState<CrumbKind | null>(null)
  const [text, setText] = useState('')
  useShowAllForHash(() => {
    setKind(null)
    setText('')
  })
  const wanted = text.trim().toLowerCase()
  const shown = crumbs.filter(
    crumb =>
      (kind === null || crumb.kind === kind) &&
      (wanted === '' || `${crumb.category} ${crumb.message} ${crumb.result}`.toLowerCase().includes(wanted)),
  )
  const isWhole = kind !== null || wanted !== '' || shown.length <= foldAbove
  const older = isWhole ? [] : shown.slice(0, -newestShown)
  const newest = isWhole ? shown : shown.slice(-newestShown)
  return (
    <>
      <div className="crumbbar with-script">
        <fieldset className="seg" aria-label="Kinds of breadcrumbs">
          <button type="button" aria-pressed={kind === null} onClick={() => setKind(null)}>
            All
          </button>
          {kinds
            .filter(({ kind: each }) => crumbs.some(crumb => crumb.kind === each))
            .map(({ kind: each, label }) => (
              <button key={each} type="button" aria-pressed={kind === each} onClick={() => setKind(each)}>
                {label}
              </button>
            ))}
        </fieldset>
        <input
          className="inp"
          type="search"
          placeholder="Search breadcrumbs"
          aria-label="Search breadcrumbs"
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </div>
      {older.length > 0 ? (
        <details className="older">
          <summary>{older.length} older breadcrumbs</summary>
          <CrumbLines crumbs={older} isLinked label="Older breadcrumbs" />
        </details>
      ) : null}
      <CrumbLines crumbs={newest} isLinked />
      {shown.length === 0 ? <p className="t3">No matching breadcrumbs.</p> : null}
    </>
  )
}

/** A link to a breadcrumb clears the filter, so that the breadcrumb is visible. */
function useShowAllForHash(showAll: () => void) {
  useEffect(() => {
    const onHashChange = () => window.location.hash.startsWith('#crumb-') && showAll()
    window.addEventListener('hashchange', onHashChange)
    return () => window.removeEventListener('hashchange', onHashChange)
  })
}
