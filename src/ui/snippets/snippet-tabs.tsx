import type { ReactNode } from 'react'
import { Link } from '../link.tsx'
import { CodeBlock } from './code-block.tsx'
import type { SnippetSet } from './snippet.ts'

type Props = {
  sets: SnippetSet[]
  sdk: string | undefined
  file: string | undefined
  path: string
  /** Below the files of a build that needs one. */
  token: ReactNode
}

/** Tabs as links, so that they work without JavaScript and can be shared. */
export function SnippetTabs({ sets, sdk, file, path, token }: Props) {
  const set = sets.find(({ id }) => id === sdk) ?? sets[0]
  const snippet = set?.snippets.find(({ id }) => id === file) ?? set?.snippets[0]
  if (!set || !snippet) return null
  return (
    <>
      <p>{set.lede}</p>
      <div className="snip">
        <div className="snip-tabs">
          <nav className="views" aria-label="SDK">
            {sets.map(({ id, label }) => (
              <Link
                key={id}
                href={`${path}?sdk=${id}`}
                scroll={false}
                aria-current={id === set.id ? 'page' : undefined}
              >
                {label}
              </Link>
            ))}
          </nav>
          {set.snippets.length > 1 ? (
            <nav className="views r" aria-label="File">
              {set.snippets.map(({ id, label }) => (
                <Link
                  key={id}
                  href={`${path}?sdk=${set.id}&file=${id}`}
                  scroll={false}
                  aria-current={id === snippet.id ? 'page' : undefined}
                >
                  {label}
                </Link>
              ))}
            </nav>
          ) : null}
        </div>
        <CodeBlock code={snippet.code} label={`${set.label}, ${snippet.label}`} />
        {snippet.note ? <p className="note">{snippet.note}</p> : null}
        {snippet.needsToken ? token : null}
      </div>
    </>
  )
}
