/** The list of files in an uploaded bundle, `manifest.json`. Written by strangers' tools: every path and id in it is checked. */
import { z } from 'zod'

export type ManifestFile = {
  /** Inside the archive. */
  path: string
  url: string
  kind: 'minified_source' | 'source_map' | 'source' | 'other'
  debugId: string
  sourceMapRef: string
}
type Manifest = { ok: true; files: ManifestFile[]; release: string; dist: string } | { ok: false; detail: string }

const maxPathChars = 1_000
const maxUrlChars = 2_000
const kinds = ['minified_source', 'source_map', 'source'] as const

const text = z.string().nullish().catch(null)
const shape = z.object({
  release: text,
  dist: text,
  files: z.record(
    z.string(),
    z.object({ type: text, url: text, headers: z.record(z.string(), z.string().catch('')).nullish().catch(null) }),
  ),
})

export function readManifest(json: string): Manifest {
  const parsed = shape.safeParse(parse(json))
  if (!parsed.success) return { ok: false, detail: 'manifest.json does not list files as Sentry tools do' }
  const entries = Object.entries(parsed.data.files)
  if (entries.length > artifactLimits.files)
    return {
      ok: false,
      detail: `manifest.json lists ${entries.length} files, and ${artifactLimits.files} are the most`,
    }
  const files: ManifestFile[] = []
  for (const [path, { type, url, headers }] of entries) {
    if (!isPlainPath(path))
      return { ok: false, detail: `manifest.json names a path outside the archive: ${quote(path)}` }
    if ((url ?? '').length > maxUrlChars) return { ok: false, detail: `the address of ${quote(path)} is too long` }
    const header = lowerCased(headers ?? {})
    files.push({
      path,
      url: url ?? '',
      kind: kinds.find(kind => kind === type) ?? 'other',
      debugId: readDebugId(header.get('debug-id') ?? header.get('debug_id') ?? ''),
      sourceMapRef: (header.get('sourcemap') ?? header.get('x-sourcemap') ?? '').slice(0, maxUrlChars),
    })
  }
  return { ok: true, files, release: parsed.data.release ?? '', dist: parsed.data.dist ?? '' }
}

/** `C0FFEE…` in any of its spellings as `c0ffee00-…`; empty for what is no id. */
export function readDebugId(text: string): string {
  const hex = text.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/.test(hex)) return ''
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Relative, forward, without steps up: a name in an archive and never a place on a disk. */
function isPlainPath(path: string): boolean {
  if (path === '' || path.length > maxPathChars || path.startsWith('/') || /[\\\p{Cc}]|^[A-Za-z]:/u.test(path))
    return false
  return path.split('/').every(part => part !== '..' && part !== '.' && part !== '')
}

const quote = (path: string): string => JSON.stringify(path.slice(0, 100))

const lowerCased = (headers: Record<string, string>) =>
  new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/** How large an upload of sources and maps may be, in bytes unless it says otherwise. What is larger is refused with a reason. */
const MiB = 1024 * 1024

export const artifactLimits = {
  /** Of a whole upload, packed. What Sentry's tools are told by default. */
  bundleBytes: 2048 * MiB,
  /** Of all files of an upload, unpacked. */
  unpackedBytes: 8192 * MiB,
  /** How many times larger than the upload its files may be. Maps are text, which shrinks to a tenth; a bomb to a thousandth. */
  unpackedRatio: 100,
  /** Below this the ratio does not matter: a few small files of one letter are no bomb. */
  ratioFromBytes: 64 * MiB,
  /** Of one map, unpacked. The largest that real apps have are half of it. */
  mapBytes: 64 * MiB,
  /** Of any other file, unpacked. */
  fileBytes: 96 * MiB,
  /** Files of an upload. */
  files: 100_000,
  /** Of the list of files in an upload, unpacked. */
  manifestBytes: 64 * MiB,
} as const
