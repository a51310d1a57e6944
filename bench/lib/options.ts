/** `--name 5` among the arguments, else the default. Anything but a number above 0 is an error, not a zero. */
export function readNumber(name: string, fallback: number): number {
  const at = process.argv.indexOf(`--${name}`)
  if (at === -1) return fallback
  const value = Number(process.argv[at + 1]?.replaceAll('_', ''))
  if (!Number.isFinite(value) || value <= 0) throw new Error(`--${name} needs a number above 0.`)
  return value
}

/** `--name words` among the arguments, else null. */
export function readText(name: string): string | null {
  const at = process.argv.indexOf(`--${name}`)
  if (at === -1) return null
  const value = process.argv[at + 1]
  if (!value || value.startsWith('--')) throw new Error(`--${name} needs a value.`)
  return value
}
