import { describe, expect, test } from 'vitest'
import { commands, runCli } from './run-cli.ts'

async function run(...args: string[]) {
  const printed: string[] = []
  const errors: string[] = []
  const code = await runCli(args, {
    print: text => void printed.push(text),
    printError: text => void errors.push(text),
    readInput: async () => '',
  })
  return { code, printed: printed.join('\n'), errors }
}

test('help lists every command', async () => {
  const { code, printed } = await run('--help')
  expect(code).toBe(0)
  for (const word of Object.keys(commands)) expect(printed).toContain(`\n  ${word} `)
})

test.each(Object.keys(commands))('hydrant %s --help prints its usage', async word => {
  const { code, printed } = await run(word, '--help')
  expect(code).toBe(0)
  expect(printed).toMatch(new RegExp(`^Usage: hydrant ${word}`))
})

describe('wrong usage prints one line to standard error and exits with 2', () => {
  test.each([
    ['frobnicate'],
    ['constructor'],
    ['start', '--port'],
    ['init'],
    ['init', '--org', 'acme'],
    ['init', '--org', 'acme', '--project', 'web', '--color', 'red'],
    ['init', '--org', 'acme', '--project', 'web', '--project-id', 'twelve'],
    ['init', '--org', 'acme', '--project', 'web', 'stray'],
    ['user'],
    ['user', 'remove'],
    ['user', 'add', '--email', 'a@b.c'],
    ['user', 'add', '--email', 'a@b.c', '--role', 'king'],
    ['user', 'list', '--all'],
    ['token', 'add', '--org', 'acme'],
    ['token', 'add', '--org', 'acme', '--name', 'ci', '--scopes', 'everything'],
    ['token', 'add', '--org', 'acme', '--name', 'ci', '--days', 'soon'],
    ['audit', 'rewrite'],
    ['audit', 'erase'],
    ['migrate', 'down'],
    ['doctor', '--fast'],
    ['doctor', 'sourcemaps'],
    ['doctor', 'sourcemaps', 'dist', '--deep'],
  ])('%j %j %j', async (...args) => {
    const { code, printed, errors } = await run(...args)
    expect({ code, printed }).toEqual({ code: 2, printed: '' })
    expect(errors).toHaveLength(1)
    expect(errors[0]).not.toContain('\n')
  })
})
