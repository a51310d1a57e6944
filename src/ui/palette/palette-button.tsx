'use client'
import { Search } from 'lucide-react'
import { keys } from '../commands/keys.ts'
import { registry } from '../commands/registry.ts'
import { ShortcutKeys } from '../commands/shortcut-keys.tsx'

export const jumpId = 'jump'

/** Opens the command palette. In the tab bar it has a short label. */
export function PaletteButton({ isTab = false }: { isTab?: boolean }) {
  return (
    <button type="button" className={`${isTab ? 'tab' : 'jump'} with-script`} onClick={() => registry.run(jumpId)}>
      <Search className="i" aria-hidden="true" />
      {isTab ? (
        'Search'
      ) : (
        <>
          <span>Jump to…</span>
          <ShortcutKeys shortcut={keys.jump.shortcut} />
        </>
      )}
    </button>
  )
}
