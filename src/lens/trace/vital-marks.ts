import { judgeVital, type Verdict, type VitalName, vitalBounds } from '../web-vitals.ts'
import { endOf, type TraceSpan } from './trace-span.ts'

/** A vital of a page view, and where on the time line it was decided; null for CLS, which is a sum. */
export type VitalMark = { name: VitalName; label: string; value: number; verdict: Verdict; atUs: number | null }

type Measured = { id: string; vitals: ReadonlyMap<string, number> }

/**
 * From page views and from the spans that SDKs send for single vitals. Loads count from the beginning of their page; an
 * interaction happened where its span is. The first page view of a trace is the one that is marked.
 */
export function vitalMarks(
  spans: readonly TraceSpan[],
  measured: readonly Measured[],
  shifts: ReadonlyMap<string, number>,
): VitalMark[] {
  const byId = new Map(spans.map(span => [span.id, span]))
  const marks = new Map<VitalName, VitalMark>()
  for (const { id, vitals } of measured) {
    const span = byId.get(id)
    if (!span) continue
    for (const [name, value] of vitals) {
      if (!isVital(name) || marks.has(name)) continue
      const atUs = momentOf(name, value, span, shifts.get(span.clock) ?? 0)
      marks.set(name, { name, label: vitalBounds[name].label, value, verdict: judgeVital(name, value), atUs })
    }
  }
  return Object.keys(vitalBounds).flatMap(name => marks.get(name as VitalName) ?? [])
}

const isVital = (name: string): name is VitalName => Object.hasOwn(vitalBounds, name)

function momentOf(name: VitalName, value: number, span: TraceSpan, shiftUs: number): number | null {
  if (name === 'cls') return null
  return name === 'inp' ? endOf(span) + shiftUs : span.startUs + value * 1_000 + shiftUs
}
