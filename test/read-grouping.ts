import { readFileSync } from 'node:fs'
import type { StoredEvent } from '#protocol/event.ts'

const folder = new URL('./fixtures/grouping/', import.meta.url).pathname

/** What each browser says, as `[type, message]`. */
export type Wording = { failure: string } & Record<'chrome' | 'firefox' | 'safari', [type: string, value: string]>

export const readBrowserEvent = (name: string): StoredEvent => read(`${name}.json`) as StoredEvent
export const readWordings = (): Wording[] => read('wordings.json') as Wording[]

function read(file: string): unknown {
  return JSON.parse(readFileSync(`${folder}${file}`, 'utf8'))
}

/** Two messages, and whether they are one bug. */
type Pair = { isOneBug: boolean; first: string; second: string }

export function readPairs(): Pair[] {
  const [, ...lines] = readFileSync(`${folder}pairs.tsv`, 'utf8').trim().split('\n')
  return lines.map(line => {
    const [verdict, first = '', second = ''] = line.split('\t')
    return { isOneBug: verdict === 'one issue', first, second }
  })
}
