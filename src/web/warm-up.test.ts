import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('what is warmed up can be imported outside of Next’s bundles', async () => {
  const program = "await import('./src/web/create-auth.ts'); console.log('imported')"
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: join(import.meta.dirname, '../..') })
  expect(stdout).toBe('imported\n')
})
