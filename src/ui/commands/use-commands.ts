'use client'
import { useEffect, useEffectEvent, useId, useSyncExternalStore } from 'react'
import { type Command, isAvailable, pressedShortcut } from './command.ts'
import { registry } from './registry.ts'

/** Offers commands while the component is mounted. Their functions may change with every render. */
export function useCommands(commands: readonly Command[]): void {
  const owner = useId()
  const newest = useEffectEvent(() => commands)
  const look = JSON.stringify(commands.map(({ run: _run, ...rest }) => rest))
  // biome-ignore lint/correctness/useExhaustiveDependencies: registers again only if a label, a shortcut or an id changes
  useEffect(() => {
    const find = (id: string) => newest().find(command => command.id === id)
    registry.put(
      owner,
      newest().map(command => ({
        ...command,
        isAvailable: () => {
          const found = find(command.id)
          return found !== undefined && isAvailable(found)
        },
        run: () => find(command.id)?.run(),
      })),
    )
  }, [owner, look])
  useEffect(() => () => registry.remove(owner), [owner])
  useEffect(listenForKeys, [])
}

const none: readonly Command[] = []

/** The commands of the page, available or not. */
export function useCommandList(): readonly Command[] {
  return useSyncExternalStore(registry.subscribe, registry.list, () => none)
}

let listening = 0

/** One listener for the whole page, however many components offer commands. */
function listenForKeys(): () => void {
  if (listening++ === 0) {
    document.addEventListener('keydown', runPressed)
    document.addEventListener('pointerdown', forgetPrefix)
  }
  return () => {
    if (--listening > 0) return
    document.removeEventListener('keydown', runPressed)
    document.removeEventListener('pointerdown', forgetPrefix)
  }
}

/** The first key of a shortcut of two keys, until the next key or click. */
let prefix = ''
const forgetPrefix = () => void (prefix = '')
const modifiers = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']

function runPressed(event: KeyboardEvent): void {
  const shortcut = event.defaultPrevented || modifiers.includes(event.key) ? null : pressedShortcut(event)
  if (shortcut === null) return
  const focused = event.target instanceof Element ? event.target : null
  const chord = prefix === '' ? null : registry.find(`${prefix} ${shortcut}`, focused)
  const command = chord ?? registry.find(shortcut, focused)
  prefix = command === null && registry.isPrefix(shortcut, focused) ? shortcut : ''
  if (!command) return
  event.preventDefault()
  if (!event.repeat || command.isRepeated) command.run()
}
