import type { ComponentType, ReactNode } from 'react'
import type { Viewer } from '#domain/access/viewer.ts'
import type { Language } from '#search/field-tables.ts'
import { Blank } from '#ui/blank.tsx'
import { Link } from '#ui/link.tsx'
import { TopBar } from '#ui/page-parts.tsx'
import { IgnoredNote } from './ignored-note.tsx'
import type { ScopeParams } from './list-params.ts'
import { Pickers } from './pickers.tsx'
import type { SearchBoxProps } from './search/search-box.tsx'

type Change = Partial<ScopeParams & { q: string }>
type Props = {
  viewer: Viewer
  title: string
  language: Language
  /** The search box of that language. */
  Search: ComponentType<SearchBoxProps>
  params: ScopeParams & { q: string }
  href: (change: Change) => string
  /** What the search form keeps of the URL. */
  kept: Record<string, string>
  /** The page that is searched, if the language does not name it. */
  path?: string
  views: ReactNode
  /** Beside the search. */
  children?: ReactNode
}

/** Title, views, pickers and search of a list. */
export function ListHead({ viewer, title, language, Search, params, href, kept, path, views, children }: Props) {
  return (
    <>
      <TopBar
        actions={
          <Pickers
            viewer={viewer}
            params={params}
            href={href}
            search={{ text: params.q, language, href: q => href({ q }) }}
          />
        }
      >
        <h1>{title}</h1>
        {views}
      </TopBar>
      <IgnoredNote viewer={viewer} params={params} />
      <div className="query">
        <Search
          key={params.q}
          organizationSlug={viewer.organization.slug}
          {...(path === undefined ? {} : { target: { path, parameter: 'q' } })}
          typed={params.q}
          hiddenFields={kept}
        />
        {children}
      </div>
    </>
  )
}

/** Instead of the list. */
export function SearchError({ href, label }: { href: string; label: string }) {
  return (
    <Blank
      title="This search has an error"
      actions={
        <Link className="btn" href={href}>
          {label}
        </Link>
      }
    >
      See the note under the search box.
    </Blank>
  )
}
