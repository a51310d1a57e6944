import { type Command, isAvailable, keysOf, ownKeys } from './command.ts'

type Registry = {
  /** Adds or replaces the commands of one component. A shortcut that another command has is refused. */
  put(owner: string, commands: readonly Command[]): void
  remove(owner: string): void
  /** All commands, available or not. The array only changes when a component comes, goes or changes its commands. */
  list(): readonly Command[]
  /** The command that a key runs while the element has focus. */
  find(shortcut: string, focused: Element | null): Command | null
  /** Whether the key begins a shortcut of two keys. */
  isPrefix(key: string, focused: Element | null): boolean
  /** Runs a command that a button elsewhere stands for. */
  run(id: string): void
  subscribe(onChange: () => void): () => void
}

export function createRegistry(): Registry {
  const owners = new Map<string, readonly Command[]>()
  const listeners = new Set<() => void>()
  let all: readonly Command[] = []

  function change(): void {
    all = [...owners.values()].flat()
    for (const onChange of listeners) onChange()
  }

  return {
    put(owner, commands) {
      const others = [...owners].flatMap(([name, list]) => (name === owner ? [] : list))
      refuseConflicts([...others, ...commands])
      owners.set(owner, commands)
      change()
    },
    remove(owner) {
      if (owners.delete(owner)) change()
    },
    list: () => all,
    find(shortcut, focused) {
      const able = all
        .filter(command => keysOf(command).includes(shortcut) && accepts(command, focused) && isAvailable(command))
        .toReversed()
      return able.find(command => !able.some(({ id }) => id === command.yieldsTo)) ?? null
    },
    isPrefix: (key, focused) =>
      all.some(
        command =>
          keysOf(command).some(each => each.startsWith(`${key} `)) && accepts(command, focused) && isAvailable(command),
      ),
    run: id => all.findLast(command => command.id === id && isAvailable(command))?.run(),
    subscribe(onChange) {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}

/** The commands of the page. */
export const registry = createRegistry()

/** What is hidden, such as the button of a dialog that it has closed, keeps its focus until the next frame. */
function accepts({ acceptsFocus }: Command, focused: Element | null): boolean {
  if (focused === null || !focused.checkVisibility()) return true
  return acceptsFocus ? acceptsFocus(focused) : focused.closest(ownKeys) === null
}

/** One of two commands with the same key would silently not work, so this is an error of the program. */
function refuseConflicts(commands: readonly Command[]): void {
  const holders = new Map<string, Command[]>()
  for (const command of commands) {
    for (const key of keysOf(command)) {
      const rival = holders.get(key)?.find(other => !mayShare(command, other))
      if (rival) throw new Error(`${command.id} and ${rival.id} both have the shortcut ${key}`)
      holders.set(key, [...(holders.get(key) ?? []), command])
    }
  }
}

const mayShare = (one: Command, other: Command): boolean =>
  one.id === other.id || one.yieldsTo === other.id || other.yieldsTo === one.id
