import { text } from 'node:stream/consumers'
import { runCli } from './run-cli.ts'

process.exitCode = await runCli(process.argv.slice(2), {
  print: line => void process.stdout.write(`${line}\n`),
  complain: line => void process.stderr.write(`${line}\n`),
  readInput: () => text(process.stdin),
})
