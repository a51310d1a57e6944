'use client'
import { useRouter } from 'next/navigation'
import { useCommands } from '#ui/commands/use-commands.ts'

type Props = { picker: string; choices: { label: string; href: string; isOn: boolean }[] }

/** The choices of a picker as commands of the palette: "Environment: production". */
export function PickerCommands({ picker, choices }: Props) {
  const router = useRouter()
  useCommands(
    choices.map(({ label, href, isOn }) => ({
      id: `pick.${picker}.${label}`,
      label: `${picker}: ${label}`,
      note: isOn ? 'current' : undefined,
      kind: 'view',
      run: () => router.push(href, { scroll: false }),
    })),
  )
  return null
}
