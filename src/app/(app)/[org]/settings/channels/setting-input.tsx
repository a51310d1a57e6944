'use client'
import type { ChannelField } from '#domain/channels/kinds/kind.ts'
import { Field } from '#ui/field.tsx'
import { Level } from '#ui/level.tsx'
import styles from './channels.module.css'
import { inputName } from './input-name.ts'

type Props = {
  field: ChannelField
  /** Then a secret is already there. */
  isStored: boolean
  /** What was entered before a failed submit. */
  given: Readonly<Record<string, string>>
  stored: string | undefined
  faults: Readonly<Record<string, string>>
}

/** One setting of a channel, by the field that its kind describes. */
export function SettingInput({ field, isStored, given, stored, faults }: Props) {
  const name = inputName(field)
  const error = faults[name]
  const isKept = isStored && field.isSecret === true
  const value = given[name] ?? (isStored ? stored : field.value) ?? ''
  const help = isKept ? 'Leave it empty to keep the current value.' : field.help
  const label = `${field.label}${field.isOptional && !isKept ? ' (optional)' : ''}`
  if (field.choices === undefined && field.isLong !== true)
    return (
      <Field
        name={name}
        label={label}
        error={error}
        help={help}
        defaultValue={value}
        placeholder={isKept ? '••••••••' : field.placeholder}
        autoComplete="off"
        spellCheck={false}
      />
    )
  const common = {
    id: name,
    name,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error || help ? `${name}-note` : undefined,
    defaultValue: value,
  }
  return (
    <div className={error ? 'field err' : 'field'}>
      <label htmlFor={name}>{label}</label>
      {field.choices === undefined ? (
        <textarea
          {...common}
          className={`inp ${styles.long}`}
          rows={4}
          placeholder={isKept ? '••••••••' : field.placeholder}
          spellCheck={false}
        />
      ) : (
        <select {...common} className="inp">
          {field.choices.map(choice => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
      {error ? (
        <p className="help" id={`${name}-note`} role="alert">
          <Level level="error" />
          {error}
        </p>
      ) : help ? (
        <p className="help" id={`${name}-note`}>
          {help}
        </p>
      ) : null}
    </div>
  )
}
