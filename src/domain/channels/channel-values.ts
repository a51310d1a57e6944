/** A channel as the audit log tells it: what may be shown in words, and of secrets only that they were replaced. */
import { changedValues } from '#domain/audit/changed-values.ts'
import type { ChannelKind, Settings } from './kinds/kind.ts'

type Values = Record<string, string | number | boolean>
type ChannelOfAudit = { name: string; project: string; kind: ChannelKind; settings: Settings }

/** Addresses are counted: in the log they would outlive the erasure of a person. The path of a URL may be as good as a password. */
const tellable = (text: string): string => {
  if (URL.canParse(text)) return new URL(text).origin
  const parts = text.split(/[\n,]/).map(part => part.trim())
  const addresses = parts.filter(part => part.includes('@')).length
  const count = addresses === 1 ? '1 address' : `${addresses} addresses`
  return [...parts.filter(part => part !== '' && !part.includes('@')), ...(addresses > 0 ? [count] : [])].join(', ')
}

export const channelValues = ({ name, project, kind, settings }: ChannelOfAudit): Values => {
  const shown = kind.fields.filter(({ isSecret }) => isSecret !== true)
  const own = shown.map(field => [field.label.toLowerCase(), tellable(settings[field.name] ?? '')] as const)
  return Object.fromEntries([['name', name], ['project', project || 'all'], ...own].filter(([, value]) => value !== ''))
}

export function channelChange(before: ChannelOfAudit, after: ChannelOfAudit): { before: Values; after: Values } {
  const changed = changedValues(channelValues(before), channelValues(after))
  for (const { name, label } of after.kind.fields) {
    const key = label.toLowerCase()
    const isTold = key in changed.before || key in changed.after
    if (before.settings[name] === after.settings[name] || isTold) continue
    if (before.settings[name]) changed.before[key] = 'hidden'
    changed.after[key] = 'replaced'
  }
  return changed
}
