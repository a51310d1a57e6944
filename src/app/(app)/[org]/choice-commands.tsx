'use client'
import { startTransition } from 'react'
import { useCommands } from '#ui/commands/use-commands.ts'
import { sendPlain } from '#ui/send/action-form.tsx'

type Props = {
  /** The field of the form, and the beginning of the commands' ids. */
  name: string
  /** `Theme`: each command reads `Theme: dark`. */
  label: string
  choices: readonly string[]
  current: string
  choose: (form: FormData) => Promise<void>
}

/** The choices of a setting of this browser as commands of the palette. */
export function ChoiceCommands({ name, label, choices, current, choose }: Props) {
  useCommands(
    choices.map(choice => ({
      id: `${name}.${choice}`,
      label: `${label}: ${choice}`,
      note: choice === current ? 'current' : undefined,
      kind: 'app',
      run() {
        const form = new FormData()
        form.set(name, choice)
        startTransition(() => sendPlain(choose, form))
      },
    })),
  )
  return null
}
