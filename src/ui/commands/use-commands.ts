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
  if (listening++ === 0) document.addEventListener('keydown', runPressed)
  return () => {
    if (--listening === 0) document.removeEventListener('keydown', runPressed)
  }
}

function runPressed(event: KeyboardEvent): void {
  const shortcut = event.defaultPrevented ? null : pressedShortcut(event)
  if (shortcut === null) return
  const command = registry.find(shortcut, event.target instanceof Element ? event.target : null)
  if (!command) return
  event.preventDefault()
  command.run()
}
