import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSmtp } from '../../test/channels/start-smtp.ts'
import { checkMail } from './doctor/check-mail.ts'
import { checkWebBuild } from './doctor.ts'

test('pages are stale when a source file, but not a test, is newer than the build', () => {
  const root = mkdtempSync(join(tmpdir(), 'hydrant-build-'))
  const write = (path: string, seconds: number) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), '')
    utimesSync(join(root, path), seconds, seconds)
  }
  write('src/app/page.tsx', 1_000)
  expect(checkWebBuild(root).state).toBe('warn')
  write('.next/BUILD_ID', 2_000)
  write('src/app/page.test.ts', 3_000)
  expect(checkWebBuild(root).state).toBe('ok')
  write('src/app/other.tsx', 3_000)
  expect(checkWebBuild(root)).toMatchObject({
    state: 'warn',
    sentence: '1 source files are newer than the built pages.',
  })
  rmSync(root, { recursive: true })
})

test('mail is checked by connecting to the server, and nothing is sent', async () => {
  expect(await checkMail({ mail: null })).toMatchObject({ state: 'ok' })
  const smtp = await startSmtp()
  const mail = { url: smtp.url, from: 'Hydrant <hydrant@acme.dev>' }
  expect(await checkMail({ mail })).toMatchObject({ state: 'ok', sentence: '127.0.0.1 accepts mail from Hydrant.' })
  expect(smtp.mails).toEqual([])
  await smtp.stop()
  expect(await checkMail({ mail })).toMatchObject({
    state: 'fail',
    sentence: expect.stringContaining('Mail can’t be sent through 127.0.0.1: connect ECONNREFUSED'),
  })
})

test('a mail server with a certificate of its own authority: the advice names the variable for it', async () => {
  const smtp = await startSmtp({ isSecure: true })
  try {
    expect(await checkMail({ mail: { url: smtp.url, from: 'Hydrant <hydrant@acme.dev>' } })).toMatchObject({
      state: 'fail',
      sentence: expect.stringContaining('certificate'),
      fix: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    })
  } finally {
    await smtp.stop()
  }
})
