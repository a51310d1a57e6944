'use client'
import { useRouter } from 'next/navigation'
import { useCommands } from '../commands/use-commands.ts'

type Page = { href: string; label: string; shortcut: string; help: string }

/** Two keys for each main page, such as `G I`, on every page. */
export function GoKeys({ pages }: { pages: Page[] }) {
  const router = useRouter()
  useCommands(
    pages.map(({ href, label, shortcut, help }) => ({
      id: `go.${label}`,
      label: `Go to ${label}`,
      kind: 'move',
      shortcut,
      help,
      run: () => router.push(href),
    })),
  )
  return null
}
