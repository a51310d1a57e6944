import fc from 'fast-check'
import type { AlertMessage } from '#domain/channels/message.ts'

export const hydrantUrl = 'https://hydrant.example'

/** A message about a new issue, as rules build one. */
export const makeMessage = (given: Partial<AlertMessage> = {}): AlertMessage => ({
  id: '0199a8f2-77c1-7000-8000-000000000001',
  kind: 'issue',
  type: 'issue.new',
  subjectKey: 'issue/42',
  action: 'open',
  severity: 'critical',
  at: 1_794_837_911_000,
  organization: { slug: 'acme', name: 'Acme' },
  project: { id: 1, slug: 'web' },
  title: 'New: TypeError in /items/[id]',
  reason: 'first seen in web@1.4.2, 3 minutes after its deploy',
  body: "Cannot read properties of undefined (reading 'price')",
  culprit: 'src/app/items/[id]/page.tsx:31 Page',
  facts: [
    { label: 'Users', value: '12 in 5 min' },
    { label: 'Environment', value: 'production' },
  ],
  links: [
    { label: 'Open issue', url: `${hydrantUrl}/acme/issues/42` },
    { label: 'Resolve', url: `${hydrantUrl}/acme/issues/42?do=resolve` },
  ],
  rule: { id: 3, name: 'New issues in production', url: `${hydrantUrl}/acme/alerts/3` },
  issue: {
    id: 42,
    shortId: 'WEB-42',
    title: "TypeError: Cannot read properties of undefined (reading 'price')",
    level: 'error',
    firstSeen: 1_794_837_900_000,
    events: 412,
    users: 57,
    release: 'web@1.4.2',
    environment: 'production',
    route: '/items/[id]',
  },
  items: [],
  more: 0,
  ...given,
})

/** Text that breaks channels which trust it. */
export const hostileTexts = [
  '🔥'.repeat(5_000),
  '👩‍👩‍👧‍👦'.repeat(1_500),
  '@everyone @here look',
  '<!channel> <!here> <@U123> <#C123|x> <!subteam^S1>',
  '<users/all> <@&123> <@123>',
  'line\r\nBcc: victim@example.com\r\n\r\nbody',
  'Subject\u2028next\u2029line',
  '[click me](https://evil.example/login)',
  '![image](https://evil.example/pixel.png)',
  '**bold** _it_ ~~gone~~ `code` ```block``` > quote # head | bar',
  '<script>alert(1)</script><img src=x onerror=alert(1)>',
  '&lt;b&gt; & <b> " \' </a>',
  '\u202egnp.exe\u202c \u2066isolated\u2069',
  'lone \ud800 surrogate \udfff here',
  '\u0000\u0007\u001b[31mred\u001b[0m',
  '{{issue.title}} {{{x}}} {{ secret | json }}',
  '"}, {"text": "injected"}',
  "'; DROP TABLE outbox; --",
  'https://evil.example/autolink www.evil.example evil@example.com',
  '\ud83d'.repeat(3_000),
  'a'.repeat(20_000),
  '\\'.repeat(9_000),
  '*'.repeat(9_000),
  '<'.repeat(9_000),
  '',
  ' \n \t ',
]

const text = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.array(fc.constantFrom(...hostileTexts), { maxLength: 4 }).map(parts => parts.join(' ')),
)
const url = fc.constantFrom(
  `${hydrantUrl}/acme/issues/42`,
  `${hydrantUrl}/acme/issues/42?a=1&b=<x>`,
  'javascript:alert(1)',
  'https://x.example/)|>*_',
)

/** A message whose every text is hostile. */
export const hostileMessage: fc.Arbitrary<AlertMessage> = fc
  .record({
    texts: fc.array(text, { minLength: 16, maxLength: 16 }),
    urls: fc.array(url, { minLength: 3, maxLength: 3 }),
    facts: fc.array(fc.record({ label: text, value: text }), { maxLength: 30 }),
    links: fc.array(fc.record({ label: text, url }), { maxLength: 12 }),
    items: fc.array(fc.record({ title: text, url, projectId: fc.nat(3) }), { maxLength: 20 }),
    more: fc.nat(500),
    kind: fc.constantFrom('issue' as const, 'incident' as const, 'summary' as const, 'test' as const),
    action: fc.constantFrom('open' as const, 'close' as const, 'none' as const),
    severity: fc.constantFrom('info' as const, 'warning' as const, 'critical' as const),
  })
  .map(({ texts, urls, ...rest }) => {
    const at = (index: number) => texts[index] ?? ''
    const base = makeMessage()
    return {
      ...base,
      ...rest,
      title: at(0),
      reason: at(1),
      body: at(2),
      culprit: at(3),
      subjectKey: at(4).slice(0, 400),
      organization: { slug: 'acme', name: at(5) },
      rule: { id: 1, name: at(6), url: urls[0] ?? '' },
      issue: base.issue && {
        ...base.issue,
        title: at(7),
        level: at(8),
        release: at(9),
        environment: at(10),
        route: at(11),
      },
    }
  })
