import type { CommandEntry } from './command.ts'

/** Every word that `hydrant` knows. A command is loaded when it is used: help must not wait for a database driver. */
export const commands: Record<string, CommandEntry> = {
  start: {
    summary: 'run Hydrant in this terminal',
    load: async () => (await import('./start.ts')).start,
  },
  init: {
    summary: 'make an organisation, a project and an owner without a browser, and print the DSN',
    load: async () => (await import('./init.ts')).init,
  },
  user: {
    summary: 'add people, or list them',
    load: async () => (await import('./user.ts')).user,
  },
  migrate: {
    summary: 'bring the stores up to this version without starting',
    load: async () => (await import('./migrate.ts')).migrate,
  },
  seed: {
    summary: 'write plausible telemetry, for demos and benchmarks',
    load: async () => (await import('./seed.ts')).seed,
  },
  compile: {
    summary: 'compile the portable engine for this machine, as npm start does once',
    load: async () => (await import('./compile.ts')).compile,
  },
  doctor: {
    summary: 'check this installation and say what to do about each fault',
    load: async () => (await import('./doctor.ts')).doctor,
  },
}
