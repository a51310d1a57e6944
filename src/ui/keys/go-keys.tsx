'use client'
import { useCommands } from '../commands/use-commands.ts'
import { useNavigate } from '../navigation.tsx'

type Page = { href: string; label: string; shortcut: string; help: string }

/** Two keys for each main page, such as `G I`, on every page. */
export function GoKeys({ pages }: { pages: Page[] }) {
  const navigate = useNavigate()
  useCommands(
    pages.map(({ href, label, shortcut, help }) => ({
      id: `go.${label}`,
      label: `Go to ${label}`,
      kind: 'move',
      shortcut,
      help,
      run: () => navigate(href, { isScrolling: true }),
    })),
  )
  return null
}
