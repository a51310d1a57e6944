/** A download of JSON lines that is written while it is read, however long it is. */
export function jsonLines(name: string, entries: AsyncGenerator<unknown, void>): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await entries.next()
      if (next.done) return controller.close()
      controller.enqueue(encoder.encode(`${JSON.stringify(next.value)}\n`))
    },
    async cancel() {
      await entries.return(undefined)
    },
  })
  return new Response(body, {
    headers: {
      'Content-Type': 'application/x-ndjson',
      'Content-Disposition': `attachment; filename="${name}.jsonl"`,
      'Cache-Control': 'private, no-store',
    },
  })
}
