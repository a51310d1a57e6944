import { downloadResponse } from './stream-parts.ts'

/** A download of JSON lines, however many there are. */
export const jsonLines = (name: string, route: string, entries: AsyncGenerator<unknown, void>): Promise<Response> =>
  downloadResponse({
    name: `${name}.jsonl`,
    type: 'application/x-ndjson',
    route,
    parts: writeLines(entries),
    lineOf: error => jsonLine({ error }),
  })

export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`

async function* writeLines(entries: AsyncGenerator<unknown, void>): AsyncGenerator<string, void> {
  for await (const entry of entries) yield jsonLine(entry)
}
