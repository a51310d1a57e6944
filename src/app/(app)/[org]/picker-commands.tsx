'use client'
import { useCommands } from '#ui/commands/use-commands.ts'
import { useNavigate } from '#ui/navigation.tsx'

type Props = { picker: string; choices: { label: string; href: string; isOn: boolean }[] }

/** The choices of a picker as commands of the palette: "Environment: production". */
export function PickerCommands({ picker, choices }: Props) {
  const navigate = useNavigate()
  useCommands(
    choices.map(({ label, href, isOn }) => ({
      id: `pick.${picker}.${label}`,
      label: `${picker}: ${label}`,
      note: isOn ? 'current' : undefined,
      kind: 'view',
      run: () => navigate(href),
    })),
  )
  return null
}
