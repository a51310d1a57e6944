import { shortcutLabel } from './command.ts'

/** The label of a command with its shortcut, as buttons show it. */
export function CommandLabel({ label, shortcut }: { label: string; shortcut?: string | undefined }) {
  return (
    <>
      {label} {shortcut === undefined ? null : <kbd>{shortcutLabel(shortcut)}</kbd>}
    </>
  )
}
