import { Script } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readHelper } from './read-helper.ts'

it('weighs less than 2 KB on its way to a browser', () => {
  expect(gzipSync(readHelper('module')).length).toBeLessThan(2_048)
  expect(gzipSync(readHelper('script')).length).toBeLessThan(2_048)
})

it('a script tag gets a script, and an import gets the integration', async () => {
  expect(() => new Script(readHelper('script'))).not.toThrow()
  const address = `data:text/javascript,${encodeURIComponent(readHelper('module'))}`
  const { hydrationIntegration } = await import(/* @vite-ignore */ address)
  const integration = hydrationIntegration()
  expect(integration.name).toBe('HydrantHydration')
  const event = { exception: { values: [{ value: 'Minified React error #418' }] } }
  expect(integration.processEvent(event)).toBe(event)
})

it('carries no comment along', () => {
  expect(readHelper('script')).not.toMatch(/\/\*\*|^\/\//m)
})
