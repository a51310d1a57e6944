import { describe, expect, it } from 'vitest'
import { makeRecord, testContext, testNow } from '../../../../test/make-record.ts'
import { processRecord } from '../../process-record.ts'

const headers = { sentry_environment: 'live', sentry_release: 'web@1' }
const processReport = (payload: unknown) =>
  processRecord(makeRecord([{ type: 'raw_security', headers, payload }]), testContext)

const cspReport = (blocked: string, directive = 'script-src-elem') => ({
  'csp-report': {
    'document-uri': 'https://shop.example/cart',
    'violated-directive': directive,
    'effective-directive': directive,
    'blocked-uri': blocked,
    disposition: 'enforce',
  },
})

describe('browser reports', () => {
  it('a blocked script becomes an event titled by directive and host', () => {
    const { rows, groupedEvents, dedupeId } = processReport(cspReport('https://evil.example/x.js?a=1'))
    expect(rows.events?.[0]).toMatchObject({
      kind: 'csp',
      title: 'script-src-elem blocked evil.example',
      url: 'https://shop.example/cart',
      environment: 'live',
      release: 'web@1',
      user_ip: '203.0.113.7',
    })
    expect(groupedEvents).toHaveLength(1)
    expect(dedupeId).toBeNull()
  })

  it('reports are grouped by directive and blocked host', () => {
    const hash = (report: object) => processReport(report).rows.events?.[0]?.group_hash
    expect(hash(cspReport('https://evil.example/x.js'))).toBe(hash(cspReport('https://evil.example/y.js')))
    expect(hash(cspReport('https://evil.example/x.js'))).not.toBe(
      hash(cspReport('https://evil.example/x.js', 'img-src')),
    )
    expect(processReport(cspReport('inline')).rows.events?.[0]?.title).toBe('script-src-elem blocked inline code')
    expect(processReport(cspReport('https://shop.example/a.js')).rows.events?.[0]?.title).toBe(
      'script-src-elem blocked own origin',
    )
  })

  it('the Reporting API gives the same group as report-uri', () => {
    const report = {
      type: 'csp-violation',
      age: 5_000,
      url: 'https://shop.example/cart',
      user_agent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
      body: {
        documentURL: 'https://shop.example/cart',
        blockedURL: 'https://evil.example/x.js',
        effectiveDirective: 'script-src-elem',
        disposition: 'enforce',
      },
    }
    const row = processReport(report).rows.events?.[0]
    expect(row?.group_hash).toBe(processReport(cspReport('https://evil.example/x.js')).rows.events?.[0]?.group_hash)
    expect(row).toMatchObject({ timestamp: testNow - 5_000, browser_name: 'Chrome', os_name: 'Linux' })
  })

  it('other kinds of reports become events too', () => {
    const deprecation = {
      type: 'deprecation',
      url: 'https://x/',
      body: { id: 'unload', message: 'unload is deprecated' },
    }
    expect(processReport(deprecation).rows.events?.[0]).toMatchObject({
      kind: 'report',
      title: 'deprecation: unload is deprecated',
    })
    expect(processReport([deprecation, cspReport('eval')]).rows.events).toHaveLength(2)
  })

  it('details of a violation are tags', () => {
    const report = {
      ...cspReport('https://evil.example/x.js')['csp-report'],
      'source-file': 'https://shop.example/a.js',
    }
    expect(processReport({ 'csp-report': report }).rows.events?.[0]?.tags).toEqual({
      logger: 'csp',
      directive: 'script-src-elem',
      blocked: 'evil.example',
      disposition: 'enforce',
      'blocked-uri': 'https://evil.example/x.js',
      'source-file': 'https://shop.example/a.js',
    })
  })

  it.each([
    ['expect-ct-report', (hostname: string) => ({ 'expect-ct-report': { hostname, port: 443, scts: [] } })],
    ['expect-staple-report', (hostname: string) => ({ 'expect-staple-report': { hostname, port: 443 } })],
    ['key-pinning', (hostname: string) => ({ 'date-time': '2014-04-06T13:00:50Z', hostname, 'known-pins': [] })],
  ])('%s is one issue per host', (type, report) => {
    const [one, two] = ['www.shop.example', 'api.shop.example'].map(
      host => processReport(report(host)).rows.events?.[0],
    )
    expect(one?.title).toBe(`${type}: www.shop.example`)
    expect(one?.group_hash).not.toBe(two?.group_hash)
  })
})
