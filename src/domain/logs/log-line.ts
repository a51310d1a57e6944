import { z } from 'zod'
import { plainUuid } from '#domain/events/read-columns.ts'
import { logSide } from '#react/side.ts'

const none = /^[0-]*$/

/** Characters of a body in a list; the rest is shown with the line alone. */
export const shownChars = 1_000

/** What every list of lines reads. Bodies are cut by the engine: a line may have many kilobytes. */
export const lineColumns = `project_id, toUnixTimestamp64Micro(timestamp) AS at_us, sequence, toString(log_id) AS id, level,
  substringUTF8(body, 1, ${shownChars}) AS text, lengthUTF8(body) AS chars, toString(trace_id) AS trace, route, server_name, sdk_name`

export const lineRow = z
  .object({
    project_id: z.coerce.number(),
    at_us: z.coerce.number(),
    sequence: z.coerce.number(),
    id: z.string(),
    level: z.string(),
    text: z.string(),
    chars: z.coerce.number(),
    trace: z.string(),
    route: z.string(),
    server_name: z.string(),
    sdk_name: z.string(),
  })
  .transform(row => ({
    id: plainUuid(row.id),
    projectId: row.project_id,
    /** Microseconds since 1970. */
    atUs: row.at_us,
    sequence: row.sequence,
    level: row.level,
    body: row.text,
    /** Of the whole body. */
    chars: row.chars,
    /** '' without a trace. */
    traceId: none.test(row.trace) ? '' : plainUuid(row.trace),
    route: row.route,
    serverName: row.server_name,
    side: logSide({ serverName: row.server_name, sdkName: row.sdk_name }),
  }))

export type LogLine = z.output<typeof lineRow>

/** A line in a URL: its time leads to the day, its id to the line. */
export type LineAddress = { atUs: number; id: string }

export const lineAddress = ({ atUs, id }: LineAddress): string => `${atUs}-${id}`

export function readLineAddress(text: string): LineAddress | null {
  const match = /^(\d{1,17})-([0-9a-f]{32})$/.exec(text)
  return match && Number.isSafeInteger(Number(match[1])) ? { atUs: Number(match[1]), id: match[2] ?? '' } : null
}
