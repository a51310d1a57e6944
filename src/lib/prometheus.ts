/** Counters and gauges in the text format of Prometheus. */

type Labels = Record<string, string>
export type Counter = { inc(labels?: Labels, by?: number): void }
export type Gauge = { set(value: number, labels?: Labels): void }

export type PrometheusRegistry = {
  counter(name: string, help: string, labelNames?: string[]): Counter
  gauge(name: string, help: string, labelNames?: string[]): Gauge
  /** Runs before each print, to set values that are read on demand. */
  onCollect(collect: () => void): void
  print(): string
}

type Family = { name: string; help: string; type: 'counter' | 'gauge'; series: Map<string, number> }

/** Labels may come from clients, who must not be able to exhaust our memory with invented values. */
const maxSeriesPerFamily = 2000

export function createPrometheusRegistry(): PrometheusRegistry {
  const families: Family[] = []
  const collectors: (() => void)[] = []

  function addFamily(name: string, help: string, type: Family['type'], labelNames: string[]): Family {
    if (families.some(family => family.name === name)) throw new Error(`metric ${name} already exists`)
    // A metric without labels starts at 0, so that it is not mistaken for a missing one.
    const family: Family = { name, help, type, series: new Map(labelNames.length === 0 ? [['', 0]] : []) }
    families.push(family)
    return family
  }

  return {
    counter(name, help, labelNames = []) {
      const { series } = addFamily(name, help, 'counter', labelNames)
      return { inc: (labels = {}, by = 1) => write(series, labels, before => before + by) }
    },
    gauge(name, help, labelNames = []) {
      const { series } = addFamily(name, help, 'gauge', labelNames)
      return { set: (value, labels = {}) => write(series, labels, () => value) }
    },
    onCollect: collect => void collectors.push(collect),
    print() {
      for (const collect of collectors) collect()
      return families.map(printFamily).join('')
    },
  }
}

function write(series: Map<string, number>, labels: Labels, change: (before: number) => number) {
  const wanted = labelText(labels)
  const key = series.has(wanted) || series.size < maxSeriesPerFamily ? wanted : labelText(overflowOf(labels))
  series.set(key, change(series.get(key) ?? 0))
}

const overflowOf = (labels: Labels): Labels => Object.fromEntries(Object.keys(labels).map(name => [name, 'other']))

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escapeValue = (value: string) => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function printFamily({ name, help, type, series }: Family): string {
  const lines = [...series].map(([labels, value]) => `${name}${labels} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}
