'use client'
import { startTransition } from 'react'
import { useCommands } from '#ui/commands/use-commands.ts'

type Props = { themes: readonly string[]; current: string; choose: (form: FormData) => Promise<void> }

/** Each theme as a command of the palette. */
export function ThemeCommands({ themes, current, choose }: Props) {
  useCommands(
    themes.map(theme => ({
      id: `theme.${theme}`,
      label: `Theme: ${theme}`,
      note: theme === current ? 'current' : undefined,
      kind: 'app',
      run() {
        const form = new FormData()
        form.set('theme', theme)
        startTransition(() => choose(form))
      },
    })),
  )
  return null
}
