import { Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readHelper } from './read-helper.ts'

it('is smaller than 2 KB with gzip', () => {
  expect(gzipSync(readHelper('module')).length).toBeLessThan(2_048)
  expect(gzipSync(readHelper('script')).length).toBeLessThan(2_048)
})

it('is available as a script and as a module with the integration', async () => {
  expect(() => new Script(readHelper('script'))).not.toThrow()
  const address = `data:text/javascript,${encodeURIComponent(readHelper('module'))}`
  const { hydrationIntegration } = await import(/* @vite-ignore */ address)
  const integration = hydrationIntegration()
  expect(integration.name).toBe('HydrantHydration')
  const event = { exception: { values: [{ value: 'Minified React error #418' }] } }
  expect(integration.processEvent(event)).toBe(event)
})

it('contains no comments', () => {
  expect(readHelper('script')).not.toMatch(/\/\*\*|^\/\//m)
})
