'use client'
import { useRef } from 'react'
import { type Command, shortcutLabel } from '../commands/command.ts'
import { keys } from '../commands/keys.ts'
import { useIsMac } from '../commands/shortcut-keys.tsx'
import { useCommandList, useCommands } from '../commands/use-commands.ts'

/** A dialog with the page's keyboard shortcuts. `?` opens it. */
export function KeyHelp() {
  const dialog = useRef<HTMLDialogElement>(null)
  const isMac = useIsMac()
  const show = () => dialog.current?.showModal()
  useCommands([{ ...keys.shortcuts, id: 'shortcuts', label: 'Show shortcuts', kind: 'view', run: show }])
  return (
    <>
      <button type="button" className="keyhint with-script" onClick={show}>
        <kbd>?</kbd> <span>Shortcuts</span>
      </button>
      <dialog ref={dialog} className="keyhelp" aria-labelledby="key-help-title">
        <h2 id="key-help-title">Keyboard shortcuts</h2>
        <dl>
          {helpRows(useCommandList(), isMac).map(({ keys: pressed, does }) => (
            <div key={does}>
              <dt>
                {pressed.map(key => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit" className="btn">
            Close
          </button>
        </form>
      </dialog>
    </>
  )
}

const kinds = ['move', 'change', 'view', 'app'] as const

/** One row for all commands with the same text: moves first, then changes. */
export function helpRows(commands: readonly Command[], isMac: boolean): { keys: string[]; does: string }[] {
  const sorted = kinds.flatMap(kind => commands.filter(command => command.kind === kind))
  const rows = new Map<string, Set<string>>()
  for (const { shortcut, help, label } of sorted) {
    if (shortcut === undefined) continue
    const does = help ?? label
    rows.set(does, (rows.get(does) ?? new Set()).add(shortcutLabel(shortcut, isMac)))
  }
  return [...rows].map(([does, pressed]) => ({ does, keys: [...pressed] }))
}
