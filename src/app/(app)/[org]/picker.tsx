'use client'
import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useCommands } from '#ui/commands/use-commands.ts'
import { Link } from '#ui/link.tsx'
import { Menu } from '#ui/menu.tsx'
import { useNavigate } from '#ui/navigation.tsx'

export type PickerChoice = { label: string; href: string; isOn: boolean }
type Props = {
  name: string
  value: string
  isBare?: boolean
  isOptional?: boolean
  choices: readonly PickerChoice[]
  /** What the palette offers, if not the choices: "Environment: production". */
  commands?: readonly PickerChoice[]
  /** Below the choices. */
  children?: ReactNode
}

const maxCommands = 50 // of each picker: the palette is not a directory

/** A menu of links. It gets its choices as data, for the menu and the palette: every navigation changes all of their addresses. */
export function Picker({ name, value, isBare = false, isOptional = false, choices, commands, children }: Props) {
  const navigate = useNavigate()
  useCommands(
    (commands ?? choices).slice(0, maxCommands).map(({ label, href, isOn }) => ({
      id: `pick.${name}.${label}`,
      label: `${name}: ${label}`,
      note: isOn ? 'current' : undefined,
      kind: 'view',
      run: () => navigate(href),
    })),
  )
  const label = (
    <>
      <span className={isBare ? 'sr' : 'k'}>{name}</span>
      <span className="cut" title={value}>
        {value}
      </span>
      <ChevronDown className="i i-s" aria-hidden="true" />
    </>
  )
  return (
    <div className={isOptional ? 'opt' : undefined}>
      <Menu className="pick" label={label} isLazy>
        {choices.map(choice => (
          <Link key={choice.label} href={choice.href} aria-current={choice.isOn ? 'true' : undefined} className="cut">
            {choice.label}
          </Link>
        ))}
        {children}
      </Menu>
    </div>
  )
}
