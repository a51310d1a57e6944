/** Structured logs: one JSON line a fact. In a terminal the same facts as plain words. */
import pino, { type Logger } from 'pino'
import { escapeControl } from './text.ts'

const names: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

export function openLog(room: string, level: string): Logger {
  const options = { level, base: { room }, timestamp: pino.stdTimeFunctions.isoTime }
  if (!process.stdout.isTTY) return pino(options, pino.destination({ dest: 1, sync: true }))
  return pino(options, { write: line => process.stdout.write(inWords(line)) })
}

/** What others sent may be among the facts: it moves no cursor, and its further lines are indented, so that none looks like a fact of ours. */
export function inWords(line: string): string {
  const { time, level, room, msg, ...facts } = JSON.parse(line) as Record<string, unknown>
  const rest = Object.entries(facts).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const text = `${String(time).slice(11, 19)} ${names[Number(level)] ?? level} ${room}: ${msg}${rest.length > 0 ? ` (${rest.join(', ')})` : ''}`
  return `${escapeControl(text).replaceAll('\n', '\n    ')}\n`
}
