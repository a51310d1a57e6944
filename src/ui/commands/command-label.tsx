import { ShortcutKeys } from './shortcut-keys.tsx'

/** The label of a command with its shortcut, as buttons show it. */
export function CommandLabel({ label, shortcut }: { label: string; shortcut?: string | undefined }) {
  return (
    <>
      {label} {shortcut === undefined ? null : <ShortcutKeys shortcut={shortcut} />}
    </>
  )
}
