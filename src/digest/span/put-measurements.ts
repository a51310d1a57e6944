import { isObject, numberOf, setOwn } from '#lib/json-value.ts'
import type { Flat } from '../attributes/flatten.ts'

/** Web vitals get the names that streamed spans use, so that one query finds both. */
const vitals = new Map([
  ['fp', 'browser.web_vital.fp.value'],
  ['fcp', 'browser.web_vital.fcp.value'],
  ['lcp', 'browser.web_vital.lcp.value'],
  ['cls', 'browser.web_vital.cls.value'],
  ['inp', 'browser.web_vital.inp.value'],
  ['ttfb', 'browser.web_vital.ttfb.value'],
  ['ttfb.requestTime', 'browser.web_vital.ttfb.request_time'],
])

export function putMeasurements({ numbers, attributes }: Flat, measurements: unknown): void {
  if (!isObject(measurements)) return
  for (const key in measurements) {
    const entry = measurements[key]
    const value = numberOf(isObject(entry) ? entry.value : entry)
    if (value === undefined) continue
    const name = vitals.get(key) ?? `measurements.${key}`
    setOwn(numbers, name, value)
    if (isObject(entry) && typeof entry.unit === 'string' && !vitals.has(key)) {
      setOwn(attributes, `${name}.unit`, entry.unit)
    }
  }
}
