import { keysOf } from '#ui/commands/command.ts'
import { registry } from '#ui/commands/registry.ts'

/** Components of different pages use the same keys, which is an error where they meet. Here the first one has the key. */
export function shareKeys(): void {
  const { put } = registry
  registry.put = (owner, commands) =>
    put(
      owner,
      commands.filter(command => {
        const others = registry.list().filter(({ id }) => id !== command.id)
        return !others.some(other => keysOf(other).some(key => keysOf(command).includes(key)))
      }),
    )
}
