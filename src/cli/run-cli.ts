import type { CommandEntry, Terminal } from './command.ts'

/** Returns the exit code. */
export async function runCli(args: string[], terminal: Terminal): Promise<number> {
  const [word, ...rest] = args
  if (word === undefined || word === '--help' || word === '-h' || word === 'help') {
    terminal.print(overview())
    return word === undefined ? 2 : 0
  }
  const entry = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (entry === undefined) {
    terminal.printError(`Unknown command ${JSON.stringify(word)}. Run hydrant --help for a list.`)
    return 2
  }
  const command = await entry.load()
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.print(command.help)
    return 0
  }
  return command.run(rest, terminal)
}

function overview(): string {
  const rows = Object.entries(commands).map(([word, { summary }]) => `  ${word.padEnd(10)} ${summary}`)
  return `Hydrant: error and performance monitoring for server-rendered React apps.

Usage: hydrant <command> [options]

${rows.join('\n')}

Run hydrant <command> --help for details. Settings are environment variables: PORT, HYDRANT_URL, HYDRANT_DATA_DIR,
DATABASE_URL, CLICKHOUSE_URL and others. Run hydrant doctor to check them.`
}

/** Loaded on use, so that help does not wait for a database driver. */
export const commands: Record<string, CommandEntry> = {
  start: {
    summary: 'run Hydrant in this terminal',
    load: async () => (await import('./start.ts')).start,
  },
  init: {
    summary: 'create an organization, a project and an owner without a browser, and print the DSN',
    load: async () => (await import('./init.ts')).init,
  },
  user: {
    summary: 'add or list users',
    load: async () => (await import('./user.ts')).user,
  },
  'erase-user': {
    summary: 'delete all data of one user of your app, with a receipt',
    load: async () => (await import('./erase-user.ts')).eraseUserCommand,
  },
  'login-link': {
    summary: 'print a link that signs a user in once',
    load: async () => (await import('./login-link.ts')).loginLink,
  },
  token: {
    summary: 'create a token for builds, scripts and agents',
    load: async () => (await import('./token.ts')).token,
  },
  audit: {
    summary: 'verify the audit log, or erase a person from it',
    load: async () => (await import('./audit.ts')).audit,
  },
  alerts: {
    summary: 'make the alert rules and channels of an organization what a file says',
    load: async () => (await import('./alerts.ts')).alerts,
  },
  tail: {
    summary: 'print log lines as they are stored',
    load: async () => (await import('./tail.ts')).tail,
  },
  migrate: {
    summary: 'migrate the databases without starting Hydrant',
    load: async () => (await import('./migrate.ts')).migrate,
  },
  secrets: {
    summary: 'encrypt stored secrets with a new key',
    load: async () => (await import('./secrets.ts')).secrets,
  },
  seed: {
    summary: 'write sample telemetry for demos and benchmarks',
    load: async () => (await import('./seed.ts')).seed,
  },
  demo: {
    summary: 'run Hydrant with sample data that is gone when it stops',
    load: async () => (await import('./demo.ts')).demo,
  },
  compile: {
    summary: 'compile the WebAssembly engine for this machine, as npm start does once',
    load: async () => (await import('./compile.ts')).compile,
  },
  doctor: {
    summary: 'check this installation and say how to fix each problem',
    load: async () => (await import('./doctor.ts')).doctor,
  },
}
