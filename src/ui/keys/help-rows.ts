import { type Command, shortcutLabel } from '../commands/command.ts'
import { keys } from '../commands/keys.ts'

const kinds = ['move', 'change', 'view', 'app'] as const
const order = Object.values(keys).map(({ help }): string => help)

/**
 * One row for all commands with the same text. Keys of this page only come first, moves before changes, then the others in the order of
 * their table.
 */
export function helpRows(commands: readonly Command[], isMac: boolean): { keys: string[]; does: string }[] {
  const sorted = kinds.flatMap(kind => commands.filter(command => command.kind === kind))
  const rows = new Map<string, Set<string>>()
  for (const { shortcut, help, label } of sorted) {
    if (shortcut === undefined) continue
    const does = help ?? label
    rows.set(does, (rows.get(does) ?? new Set()).add(shortcutLabel(shortcut, isMac)))
  }
  return [...rows]
    .map(([does, pressed]) => ({ does, keys: [...pressed] }))
    .sort((a, b) => order.indexOf(a.does) - order.indexOf(b.does))
}
