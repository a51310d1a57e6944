import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from '#ui/link.tsx'
import { Menu } from '#ui/menu.tsx'

type PickerProps = { name: string; value: string; isBare?: boolean; isOptional?: boolean; children: ReactNode }

export function Picker({ name, value, isBare = false, isOptional = false, children }: PickerProps) {
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
      <Menu className="pick" label={label}>
        {children}
      </Menu>
    </div>
  )
}

export function Choice({ href, isOn, label }: { href: string; isOn: boolean; label: string }) {
  return (
    <Link href={href} aria-current={isOn ? 'true' : undefined} className="cut">
      {label}
    </Link>
  )
}
