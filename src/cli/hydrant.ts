import { text } from 'node:stream/consumers'
import { escapeControl } from '#lib/text.ts'
import { runCli } from './run-cli.ts'

process.exitCode = await runCli(process.argv.slice(2), {
  print: line => void process.stdout.write(`${escapeControl(line)}\n`),
  printError: line => void process.stderr.write(`${escapeControl(line)}\n`),
  readInput: () => text(process.stdin),
})
