import { expect, test } from 'vitest'
import { type DevInstallation, type DevRequest, isFromThisMachine, maySignIn } from './may-sign-in.ts'

/** Of each condition, values that keep it and values that do not. */
const installations: {
  [Name in keyof DevInstallation]: { fine: DevInstallation[Name][]; wrong: DevInstallation[Name][] }
} = {
  nodeEnv: { fine: ['development'], wrong: ['production', 'test', '', undefined] },
  root: { fine: ['/code', '/code/'], wrong: ['/other', '/code/src'] },
  dataDir: { fine: ['/code/data-dev', '/code/data-dev/'], wrong: ['/code/data', '/data-dev', '/code/data-dev/x'] },
  host: { fine: ['127.0.0.1', '::1', 'localhost'], wrong: ['::', '0.0.0.0', '192.168.1.7', 'dev.example'] },
  databaseUrl: { fine: [undefined], wrong: ['postgres://db.example/hydrant'] },
  clickhouseUrl: { fine: [undefined], wrong: ['http://telemetry.example:8123'] },
  blobsUrl: { fine: [undefined], wrong: ['s3://bucket'] },
  trustedProxies: { fine: [[]], wrong: [['127.0.0.1']] },
}
const peers = {
  fine: ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'],
  wrong: [undefined, '', '10.0.0.1', '::ffff:10.0.0.1', '1127.0.0.1', 'localhost'],
}
const headers = {
  fine: [{ host: 'localhost:8000' }, { host: '127.0.0.1' }, { host: '[::1]:8000' }, { host: 'LOCALHOST:8000' }],
  wrong: [
    {},
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { host: 'localhost:8000.evil.example' },
    { host: 'evil.example@localhost' },
    { host: '127.0.0.1.nip.io:8000' },
    { host: ['localhost'] },
    { host: 'localhost', forwarded: 'for=1.2.3.4' },
    { host: 'localhost', via: '1.1 tunnel' },
    { host: 'localhost', 'x-forwarded-for': '127.0.0.1' },
    { host: 'localhost', 'x-forwarded-host': 'localhost' },
    { host: 'localhost', 'x-real-ip': '127.0.0.1' },
  ],
}
type Values<Value> = { fine: readonly Value[]; wrong: readonly Value[] }
const label = <Value>({ fine, wrong }: Values<Value>): { value: Value; isFine: boolean }[] => [
  ...fine.map(value => ({ value, isFine: true })),
  ...wrong.map(value => ({ value, isFine: false })),
]

const installed = label(installations.nodeEnv).flatMap(nodeEnv =>
  label(installations.root).flatMap(root =>
    label(installations.dataDir).flatMap(dataDir =>
      label(installations.host).flatMap(host =>
        label(installations.databaseUrl).flatMap(databaseUrl =>
          label(installations.trustedProxies).map(trustedProxies => {
            const parts = { nodeEnv, root, dataDir, host, databaseUrl, trustedProxies }
            return {
              value: Object.fromEntries(
                Object.entries(parts).map(([name, { value }]) => [name, value]),
              ) as unknown as DevInstallation,
              isFine: Object.values(parts).every(({ isFine }) => isFine),
            }
          }),
        ),
      ),
    ),
  ),
)
const requests = label(peers).flatMap(peer =>
  label<DevRequest['headers']>(headers).map(given => ({
    value: { peer: peer.value, headers: given.value },
    isFine: peer.isFine && given.isFine,
  })),
)

test('a request is signed in only if every condition holds, in all combinations', () => {
  const wrong = installed.flatMap(installation =>
    requests.flatMap(request => {
      const isExpected = installation.isFine && request.isFine
      return maySignIn(installation.value, request.value) === isExpected ? [] : [{ installation, request }]
    }),
  )
  expect(wrong).toEqual([])
  expect(installed.some(({ isFine }) => isFine) && requests.some(({ isFine }) => isFine)).toBe(true)
})

test('a request of another machine stays one, whatever it says about itself', () => {
  const claims = { host: 'localhost:8000', origin: 'http://localhost:8000', 'hydrant-dev-sign-in': '1' }
  expect(isFromThisMachine({ peer: '10.0.0.1', headers: claims })).toBe(false)
})
