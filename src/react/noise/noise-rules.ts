import { textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { findAnySkew } from '../deploy-skew.ts'
import { findControlFlow } from '../frameworks/find-frameworks.ts'
import { readHydration } from '../hydration/read-hydration.ts'
import { sideOf } from '../side.ts'
import { extensionRule } from './extension-rule.ts'
import { isLegacyBrowser, type NoiseInput, type NoiseRule } from './noise-rule.ts'
import { signalRules } from './signal-rules.ts'

const pageRules: readonly NoiseRule[] = [
  {
    id: 'resize-observer',
    name: 'ResizeObserver loops',
    why: 'The browser deferred a notification to the next frame. Nothing is broken.',
    byDefault: 'on',
    matches: ({ isBrowser, value }) =>
      isBrowser && /^ResizeObserver loop (?:limit exceeded|completed with undelivered notifications)\.?$/.test(value),
  },
  {
    id: 'script-error',
    name: 'Cross-origin script errors',
    why: 'The browser hides message and stack of a script that was loaded without crossorigin.',
    byDefault: 'on',
    matches: ({ isBrowser, event, value }) =>
      isBrowser && /^(?:Uncaught )?Script error\.?$/.test(value) && !hasFrames(event),
  },
]

const hasFrames = (event: { exception?: { values: { stacktrace?: { frames: unknown[] } }[] } }): boolean =>
  event.exception?.values.some(({ stacktrace }) => (stacktrace?.frames.length ?? 0) > 1) === true

const crawlers =
  /Mediapartners-Google|AdsBot-Google|Googlebot|FeedFetcher-Google|Storebot-Google|BingBot|BingPreview|Baiduspider|Slurp|Sogou|facebook|meta-|ia_archiver|bots?(?:[/\s);]|$)|spider(?:[/\s);]|$)|Slack|Calypso AppCrawler|pingdom|lyticsbot|AWS Security Scanner|HubSpot Crawler|Bytespider|Better Uptime|Cloudflare-Healthchecks|GTmetrix|BrightEdgeOnCrawl|ELB-HealthChecker|naver\.me\/spd|ClaudeBot|CCBot|OAI-SearchBot|GPTBot|PerplexityBot|Applebot|DuckDuckBot|Lightpanda/i
/** Bots that fetch on behalf of a user. */
const userBots = /Slackbot 1\.\d+|UptimeBot|ChatGPT-User/i

const visitorRules: readonly NoiseRule[] = [
  {
    id: 'web-crawlers',
    name: 'Crawlers',
    why: 'A search engine or uptime check ran the page, often without all browser features.',
    byDefault: 'on',
    matches: ({ userAgent }) => userAgent !== '' && crawlers.test(userAgent) && !userBots.test(userAgent),
  },
  {
    id: 'legacy-browsers',
    name: 'Legacy browsers',
    why: 'Internet Explorer, and versions of other browsers from before 2023 that Next.js no longer supports.',
    byDefault: 'off',
    matches: ({ event }) =>
      isLegacyBrowser(textOf(event.contexts.browser?.name), textOf(event.contexts.browser?.version)),
  },
  {
    id: 'localhost',
    name: 'Development machines',
    why: 'The page or request was on localhost. Off by default, so that you see the first event of a new app.',
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

/** Useful in Hydrant, noise elsewhere: off by default. */
const reactRules: readonly NoiseRule[] = [
  {
    id: 'hydration-errors',
    name: 'Hydration errors',
    why: 'Server and browser rendered different content. Hydrant shows the difference, so these are kept by default.',
    byDefault: 'off',
    matches: ({ isBrowser, value }) => isBrowser && readHydration(value) !== null,
  },
  {
    id: 'chunk-loads',
    name: 'Deploy skew',
    why: 'An open tab requested files of an older deploy. Hydrant groups them into one issue per deploy, so these are kept by default.',
    byDefault: 'off',
    matches: ({ event }) => findAnySkew(event) !== null,
  },
]

/** In this order: an event that matches several rules counts for the first one that drops it. */
export const noiseRules: readonly NoiseRule[] = [
  ...signalRules,
  ...pageRules,
  extensionRule,
  ...visitorRules,
  ...reactRules,
]

/** Chars. Known noise has short messages. */
const maxChars = 2_000

/** The ids of the matching rules, in order. The project's filters decide whether the event is dropped. */
export function findNoise(event: StoredEvent, userAgent: string): string[] {
  const error = event.exception?.values.at(-1)
  const value = error?.value ?? event.logentry?.formatted ?? event.logentry?.message ?? ''
  const side = sideOf(event)
  const type = textOf(error?.type)
  const shortValue = value.slice(0, maxChars)
  const input: NoiseInput = {
    event,
    type,
    value: shortValue,
    controlFlow: findControlFlow(event, type, shortValue)?.kind ?? null,
    isBrowser: side === 'browser' || side === 'both',
    userAgent,
  }
  return noiseRules.filter(rule => rule.matches(input)).map(rule => rule.id)
}
