import { formatCount } from './format-count.ts'

/** `1 request`, `12.4k requests`. */
export function formatMany(count: number, one: string, many: string = `${one}s`): string {
  const whole = Math.round(count)
  return `${formatCount(whole)} ${whole === 1 ? one : many}`
}
