/** Visitors who are no customers: crawlers, browsers that nobody builds for, and the developer at home. */
import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { isLegacyBrowser } from './is-legacy-browser.ts'
import type { NoiseRule } from './noise-rule.ts'

const crawlers =
  /Mediapartners-Google|AdsBot-Google|Googlebot|FeedFetcher-Google|Storebot-Google|BingBot|BingPreview|Baiduspider|Slurp|Sogou|facebook|meta-|ia_archiver|bots?(?:[/\s);]|$)|spider(?:[/\s);]|$)|Slack|Calypso AppCrawler|pingdom|lyticsbot|AWS Security Scanner|HubSpot Crawler|Bytespider|Better Uptime|Cloudflare-Healthchecks|GTmetrix|BrightEdgeOnCrawl|ELB-HealthChecker|naver\.me\/spd|ClaudeBot|CCBot|OAI-SearchBot|GPTBot|PerplexityBot|Applebot|DuckDuckBot|Lightpanda/i
/** Somebody waits for what these fetch. */
const wanted = /Slackbot 1\.\d+|UptimeBot|ChatGPT-User/i

export const visitorRules: readonly NoiseRule[] = [
  {
    id: 'web-crawlers',
    name: 'Crawlers',
    why: 'A search engine or a checker ran the page, often without what a browser has.',
    byDefault: 'on',
    matches: ({ userAgent }) => userAgent !== '' && crawlers.test(userAgent) && !wanted.test(userAgent),
  },
  {
    id: 'legacy-browsers',
    name: 'Legacy browsers',
    why: 'Internet Explorer, and releases of other browsers from before 2023 that React’s own build targets leave out.',
    byDefault: 'off',
    matches: ({ event }) =>
      isLegacyBrowser(textOf(event.contexts.browser?.name), textOf(event.contexts.browser?.version)),
  },
  {
    id: 'localhost',
    name: 'Development machines',
    why: 'The page or the request was at localhost. Off by default, so that the first event of a new app is seen.',
    byDefault: 'off',
    matches: ({ event }) => isLocal(event),
  },
]

function isLocal({ request, user }: StoredEvent): boolean {
  if (user?.ip_address === '127.0.0.1' || user?.ip_address === '::1') return true
  const url = URL.parse(request?.url ?? '')
  return (
    url !== null && (url.protocol === 'file:' || /^(?:127\.0\.0\.1|\[::1\]|(?:.+\.)?localhost)$/.test(url.hostname))
  )
}
