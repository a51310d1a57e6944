/** `manifest.json`, the list of files in an artifact bundle. It is untrusted: every path and id in it is checked. */
import { z } from 'zod'

export type ManifestFile = {
  /** The path inside the archive. */
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
  if (!parsed.success)
    return {
      ok: false,
      detail: 'manifest.json has no valid list of files; upload with sentry-cli or a Sentry bundler plugin',
    }
  const entries = Object.entries(parsed.data.files)
  if (entries.length > artifactLimits.files)
    return {
      ok: false,
      detail: `manifest.json lists ${entries.length} files; the limit is ${artifactLimits.files}`,
    }
  const files: ManifestFile[] = []
  for (const [path, { type, url, headers }] of entries) {
    if (!isPlainPath(path))
      return { ok: false, detail: `manifest.json contains a path outside the archive: ${quote(path)}` }
    if ((url ?? '').length > maxUrlChars)
      return { ok: false, detail: `the URL of ${quote(path)} is longer than ${maxUrlChars} characters` }
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

/** Normalizes a debug id to `c0ffee00-…`; empty when it is not one. */
export function readDebugId(text: string): string {
  const hex = text.toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/.test(hex)) return ''
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Relative, without `..`: it must be a name in the archive, never a path on a disk. */
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

const MiB = 1024 * 1024

/** Limits of an artifact bundle. A larger one is refused with a reason. */
export const artifactLimits = {
  /** The bundle as uploaded. Sentry's default. */
  bundleBytes: 2048 * MiB,
  /** All files, unpacked. */
  unpackedBytes: 8192 * MiB,
  /** Unpacked size relative to the upload. Source maps compress to a tenth, a zip bomb to a thousandth. */
  unpackedRatio: 100,
  /** The ratio only matters above this size. */
  ratioFromBytes: 64 * MiB,
  /** One source map, unpacked. The largest of real apps are half of it. */
  mapBytes: 64 * MiB,
  /** Any other file, unpacked. */
  fileBytes: 96 * MiB,
  /** Files in one bundle. */
  files: 100_000,
  /** manifest.json, unpacked. */
  manifestBytes: 64 * MiB,
} as const
