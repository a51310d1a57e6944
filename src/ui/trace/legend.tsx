import { opFamilies } from './op-family.ts'

export function Legend() {
  return (
    <ul className="legend" aria-label="Colours">
      {Object.entries(opFamilies).map(([family, label]) => (
        <li key={family}>
          <i style={{ background: `var(--op-${family})` }} />
          {label}
        </li>
      ))}
    </ul>
  )
}
