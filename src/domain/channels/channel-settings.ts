/** The settings of a channel: what may be shown is in `config`, the rest is encrypted in `secret`. */
import type { Kysely } from 'kysely'
import { isObject, jsonObjectOf, textOf } from '#lib/json-value.ts'
import { decryptSecret, encryptSecret } from '#store/control/encrypted-secret.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { ChannelKind, Settings } from './kinds/kind.ts'
import { findKind } from './kinds/list.ts'

type Db = Kysely<ControlSchema>
type StoredSettings = { kind: string; config: string; secret: string }

export async function storeSettings(db: Db, installationSecret: string, kind: ChannelKind, settings: Settings) {
  const shown = new Set(kind.fields.filter(({ isSecret }) => isSecret !== true).map(({ name }) => name))
  const part = (isShown: boolean) =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => shown.has(name) === isShown))
  const secrets = part(false)
  const plain = JSON.stringify(secrets)
  return {
    config: JSON.stringify({ settings: part(true), target: kind.target(settings) }),
    secret:
      Object.keys(secrets).length === 0
        ? ''
        : await encryptSecret(db, installationSecret, { purpose: 'channel', plain }),
  }
}

/** The part that may be shown, and where the channel sends. */
export function readShown(config: string): { settings: Settings; target: string } {
  const { settings, target } = jsonObjectOf(config)
  return { settings: textsOf(settings), target: textOf(target) }
}

type ReadSettings =
  | { ok: true; kind: ChannelKind; settings: Settings }
  | { ok: false; code: 'kind_unknown' | 'secret_unreadable' | 'settings_invalid' }

/** All settings, for the one place that sends. */
export async function readSettings(db: Db, installationSecret: string, stored: StoredSettings): Promise<ReadSettings> {
  const kind = findKind(stored.kind)
  if (kind === null) return { ok: false, code: 'kind_unknown' }
  const secret =
    stored.secret === ''
      ? '{}'
      : await decryptSecret(db, installationSecret, { purpose: 'channel', text: stored.secret })
  if (secret === null) return { ok: false, code: 'secret_unreadable' }
  const parsed = kind.parse({ ...readShown(stored.config).settings, ...textsOf(jsonObjectOf(secret)) })
  return parsed.ok ? { ok: true, kind, settings: parsed.settings } : { ok: false, code: 'settings_invalid' }
}

const textsOf = (value: unknown): Settings =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, textOf(text)])) : {}
