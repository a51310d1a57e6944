import type { Trace } from '#queries/trace/find-trace.ts'
import { formatDuration } from '#ui/format-duration.ts'
import type { VitalView } from '#ui/trace/ruler.tsx'

const looks = { good: 'good', middle: 'meh', poor: 'bad' } as const

export function vitalViews({ vitals, tree }: Trace): VitalView[] {
  return vitals.map(({ name, label, value, verdict, atUs }) => ({
    label,
    text: name === 'cls' ? value.toFixed(2) : formatDuration(value * 1_000),
    verdict: looks[verdict],
    atUs: atUs === null ? null : atUs - tree.startUs,
  }))
}
