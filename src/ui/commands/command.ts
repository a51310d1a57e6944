/** Something a person can do on the page, by key, from the palette or with a button. */
export type Command = {
  /** Components may offer the same command, such as two toasts with Undo. The one mounted last goes first. */
  id: string
  label: string
  /** What it acts on, in a word or two, for the palette. */
  note?: string | undefined
  /** Decides where it is listed: `move` only has a key, `app` is offered on every page. */
  kind: 'move' | 'change' | 'view' | 'app'
  /**
   * The browser's name of the key, with `Mod+` for ⌘ or Ctrl, and `Shift+` for letters: `j`, `Escape`, `Shift+x`, `Mod+k`. Two keys
   * that are pressed one after the other: `g i`.
   */
  shortcut?: string | undefined
  /** Keys that do the same, but are not shown. */
  aliases?: readonly string[]
  /** Its row in the list of shortcuts, if not the label. Commands with the same text share a row. */
  help?: string
  /** The id of a command with the same shortcut that goes first while it is available. */
  yieldsTo?: string
  /** Whether a held key runs it again and again. Only moves do: a held key must not resolve one issue after the other. */
  isRepeated?: boolean
  /** Whether the shortcut works while the element has focus. Default: outside of fields, menus and dialogs. */
  acceptsFocus?: (focused: Element) => boolean
  isAvailable?: () => boolean
  run: () => void
}

export const keysOf = ({ shortcut, aliases = [] }: Command): readonly string[] =>
  shortcut === undefined ? aliases : [shortcut, ...aliases]

export const isAvailable = (command: Command): boolean => command.isAvailable?.() ?? true

/** Fields, open menus and dialogs handle their own keys. A checkbox only handles Space. */
export const ownKeys = 'input:not([type=checkbox]), textarea, select, dialog, [contenteditable], .pop'

const signs: Record<string, string> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
  Escape: 'Esc',
}

/** A shortcut as it is printed: `⌘K` (`Ctrl K` if the keyboard has no ⌘), `⇧X`, `Esc`, `G I`. */
export function shortcutLabel(shortcut: string, isMac: boolean): string {
  if (shortcut.length > 1 && shortcut.includes(' '))
    return shortcut
      .split(' ')
      .map(key => shortcutLabel(key, isMac))
      .join(' ')
  const key = shortcut.replace(/^(?:Mod|Shift)\+/, '')
  const modifier = shortcut.startsWith('Mod+') ? (isMac ? '⌘' : 'Ctrl ') : shortcut.startsWith('Shift+') ? '⇧' : ''
  return modifier + (signs[key] ?? key.toUpperCase())
}

type KeyPress = Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey' | 'shiftKey'>

/** The shortcut that was pressed. Shift counts for letters only: signs such as `?` need it on many keyboards. */
export function pressedShortcut({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyPress): string | null {
  const isLetter = /^[a-z]$/i.test(key)
  const name = isLetter ? key.toLowerCase() : key
  // On some keyboards, brackets are typed with AltGr, which browsers report as Ctrl and Alt.
  if (altKey) return /^[[\]]$/.test(name) ? name : null
  if (metaKey || ctrlKey) return shiftKey ? null : `Mod+${name}`
  return isLetter && shiftKey ? `Shift+${name}` : name
}
