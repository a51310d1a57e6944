import { downloadResponse } from './stream-parts.ts'

/** A download of JSON lines, however many there are. */
export const jsonLines = (
  name: string,
  {
    route,
    entries,
    isAllowed,
  }: { route: string; entries: AsyncGenerator<unknown, void>; isAllowed(): Promise<boolean> },
): Promise<Response> =>
  downloadResponse({
    name: `${name}.jsonl`,
    type: 'application/x-ndjson',
    route,
    parts: writeLines(entries),
    isAllowed,
    lineOf: error => jsonLine({ error }),
  })

export const jsonLine = (value: unknown): string => `${JSON.stringify(value)}\n`

async function* writeLines(entries: AsyncGenerator<unknown, void>): AsyncGenerator<string, void> {
  for await (const entry of entries) yield jsonLine(entry)
}
