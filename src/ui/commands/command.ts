/** Something a person can do on the page, by key, from the palette or with a button. */
export type Command = {
  /** Components may offer the same command, such as two toasts with Undo. The one mounted last goes first. */
  id: string
  label: string
  /** What it acts on, in a word or two, for the palette. */
  note?: string | undefined
  /** Decides where it is listed: `move` only has a key, `app` is offered on every page. */
  kind: 'move' | 'change' | 'view' | 'app'
  /** The browser's name of the key, with `Mod+` for ⌘ or Ctrl, and `Shift+` for letters: `j`, `Escape`, `Shift+x`, `Mod+k`. */
  shortcut?: string | undefined
  /** Keys that do the same, but are not shown. */
  aliases?: readonly string[]
  /** Its row in the list of shortcuts, if not the label. Commands with the same text share a row. */
  help?: string
  /** The id of a command with the same shortcut that goes first while it is available. */
  yieldsTo?: string
  /** Whether the shortcut works while the element has focus. Default: outside of fields, menus and dialogs. */
  acceptsFocus?: (focused: Element) => boolean
  isAvailable?: () => boolean
  run: () => void
}

export const keysOf = ({ shortcut, aliases = [] }: Command): readonly string[] =>
  shortcut === undefined ? aliases : [shortcut, ...aliases]

export const isAvailable = (command: Command): boolean => command.isAvailable?.() ?? true

/** Fields, open menus and dialogs handle their own keys. */
export const ownKeys = 'input, textarea, select, dialog, [contenteditable], .pop'

const signs: Record<string, string> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
}

/** A shortcut as it is printed: `⌘K`, `⇧X`, `Esc`. */
export function shortcutLabel(shortcut: string): string {
  const key = shortcut.replace(/^(?:Mod|Shift)\+/, '')
  const modifier = shortcut.startsWith('Mod+') ? '⌘' : shortcut.startsWith('Shift+') ? '⇧' : ''
  return modifier + (signs[key] ?? key.toUpperCase())
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>

/** The shortcut that was pressed. Shift counts for letters only: signs such as `?` need it on many keyboards. */
export function pressedShortcut({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyPress): string | null {
  const isLetter = /^[a-z]$/i.test(key)
  const name = isLetter ? key.toLowerCase() : key
  if (altKey) return null
  if (metaKey || ctrlKey) return shiftKey ? null : `Mod+${name}`
  return isLetter && shiftKey ? `Shift+${name}` : name
}
