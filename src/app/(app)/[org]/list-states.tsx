/** The end of a list, and what stands in its place when it is empty. */

import type { ReactNode } from 'react'
import { clipText } from '#lib/text.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { readTimeZone } from '#web/time-zone.ts'
import { inTime, type ListParams, type ScopeParams } from './list-params.ts'

type Foot = {
  /** `50 traces, newest first` */
  words: string
  /** The first page, for those that follow it. */
  first: string | null
  next: string | null
}

export function ListFoot({ words, first, next }: Foot) {
  return (
    <footer className="lfoot">
      <span>{words}</span>
      <span className="pages">
        {first === null ? null : <Link href={first}>First page</Link>}
        {next === null ? null : (
          <Link className="btn s" href={next} rel="next">
            Next page
          </Link>
        )}
      </span>
    </footer>
  )
}

type Nothing = {
  /** `trace`; several of them have an s. */
  noun: string
  params: ListParams<string, unknown>
  /** The search with which the list opens. */
  defaultQuery: string
  /** The link that takes the filters away. */
  all: string
  href: (change: Partial<ScopeParams & { q: string }>) => string
  /** What the list would have, and the next step, where no filter hides anything. */
  about: ReactNode
  start?: ReactNode
}

/** Whether no filter but the time hides anything. */
export const isUnfiltered = (
  { q, environment, projects }: ScopeParams & { q: string },
  defaultQuery: string,
): boolean => q === defaultQuery && !environment && projects.length === 0

/** Says why the list is empty and offers the next step. */
export async function NothingListed({ noun, params, defaultQuery, all, href, about, start }: Nothing) {
  const go = (label: string, to: string, look = 'btn') => (
    <Link className={look} href={to}>
      {label}
    </Link>
  )
  if (params.after)
    return (
      <Blank title={`No more ${noun}s`} actions={go('First page', href({}))}>
        This page is past the end of the list.
      </Blank>
    )
  const { zone } = await readTimeZone()
  const isLongest = !params.span && (params.range === '30d' || params.range === '90d')
  const isPlain = isUnfiltered(params, defaultQuery)
  return (
    <Blank
      title={`No ${noun}s ${inTime(params, zone)}`}
      actions={
        <>
          {isLongest ? null : go('Search last 30 days', href({ range: '30d', span: undefined }), 'btn primary')}
          {isPlain ? start : go(all, href({ q: defaultQuery, environment: undefined, projects: [] }))}
        </>
      }
    >
      {isPlain ? about : `No ${noun} matches ${clipText(params.q, 200) || 'these filters'}.`}
    </Blank>
  )
}
