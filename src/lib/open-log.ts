/** Structured logs: one JSON object per line, or plain text in a terminal. */
import pino, { type Logger } from 'pino'
import { escapeControl } from './text.ts'

const names: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

export function openLog(room: string, level: string): Logger {
  const options = { level, base: { room }, timestamp: pino.stdTimeFunctions.isoTime }
  if (!process.stdout.isTTY) return pino(options, pino.destination({ dest: 1, sync: true }))
  return pino(options, { write: line => process.stdout.write(formatLine(line)) })
}

/** Fields may hold text from clients: control characters are escaped, and further lines indented, so that none looks like a line of ours. */
export function formatLine(line: string): string {
  const { time, level, room, msg, ...fields } = JSON.parse(line) as Record<string, unknown>
  const rest = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const text = `${String(time).slice(11, 19)} ${names[Number(level)] ?? level} ${room}: ${msg}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`
  return `${escapeControl(text).replaceAll('\n', '\n    ')}\n`
}
