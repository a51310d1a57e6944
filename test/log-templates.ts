/** What apps, servers and databases write, by the template that wrote it: the measure of how well patterns find templates again. */
import { createRandom } from './fuzz/random.ts'

const random = createRandom(7)
const { pick } = random
const int = (from: number, below: number) => from + random.int(below - from)
const real = (most: number, digits: number) => ((random.int(1e6) / 1e6) * most).toFixed(digits)
const chance = () => random.chance(0.5)
const hex = (length: number) => random.bytes(length).toString('hex').slice(0, length)
const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-')
const at = () => 1.79e12 + random.int(1e9)
const time = () => new Date(at()).toISOString()
const ip = () => [int(1, 255), int(1, 255), int(1, 255), int(1, 255)].join('.')

const names = ['Ada', 'Bob', 'Chloé', 'Dmitri', 'Eve', 'Farid', 'Grace', 'Heidi']
const cities = ['Oslo', 'Bergen', 'New York', 'Paris', 'São Paulo']
const services = ['cart', 'payment', 'search', 'inventory']
const paths = [
  '/',
  '/items/42',
  '/cart',
  '/checkout',
  '/api/orders/9',
  '/login',
  '/about',
  '/docs/intro',
  '/users/ada/profile',
]
const agents = [
  'Mozilla/5.0 (X11; Linux x86_64) Chrome/130',
  'curl/8.5',
  'Googlebot/2.1 (+http://www.google.com/bot.html)',
]
const visitors = ['Olga', 'Jun', 'Maria Rossi', 'li wei', 'Sam', 'Tariq', 'anna', 'peter']
const hosts = ['alpha', 'beta', 'gamma', 'delta']
const tables = ['users', 'orders', 'carts', 'invoices', 'sessions']

type Templates = Readonly<Record<string, () => string>>

/** Of a web shop: servers, Next.js, loggers, jobs. */
const shop: Templates = {
  'nginx-access': () =>
    `${ip()} - - [${int(10, 28)}/Nov/2026:10:0${int(0, 9)}:11 +0000] "${pick(['GET', 'GET', 'POST'])} ${pick(paths)} HTTP/1.1" ${pick([200, 200, 304, 404, 500])} ${int(100, 9999)} "${pick(['-', 'https://shop.example/'])}" "${pick(agents)}"`,

  'nginx-upstream': () =>
    `2026/11/18 10:00:${int(10, 59)} [error] ${int(1, 99)}#${int(1, 99)}: *${int(1, 9999)} upstream timed out (110: Connection timed out) while reading response header from upstream, client: ${ip()}, server: shop.example, request: "GET ${pick(paths)} HTTP/1.1", upstream: "http://${ip()}:3000${pick(paths)}"`,

  'next-req': () => `${pick(['GET'])} ${pick(paths)} ${pick([200, 404, 500])} in ${int(2, 900)}ms`,

  'next-compiled': () => `✓ Compiled ${pick(paths)} in ${real(3, 1)}s (${int(100, 3000)} modules)`,

  'next-fetch-fail': () =>
    `⨯ Error: Failed to fetch product ${int(1, 9999)}: ${pick(['timeout', 'ECONNRESET', 'socket hang up'])}`,

  'user-login': () => `User ${pick(names)} logged in from ${ip()}`,
  'user-logout': () => `User ${pick(names)} logged out after ${int(1, 60)} minutes`,

  city: () => `Shipping rate for ${pick(cities)} updated to ${int(1, 99)}.${int(10, 99)} EUR`,

  redis: () =>
    `redis: connection to ${pick(['redis-a', 'redis-b', 'cache.internal'])}:6379 ${pick(['lost', 'lost'])}, retrying in ${int(100, 999)} ms`,

  'redis-ok': () =>
    `redis: connection to ${pick(['redis-a', 'redis-b', 'cache.internal'])}:6379 restored, latency ${int(1, 50)} ms`,

  'pg-slow': () =>
    `slow query (${int(200, 5000)} ms): SELECT "id", "name" FROM "orders" WHERE "user_id" = $1 AND status = '${pick(['paid', 'open', 'void'])}' LIMIT ${int(1, 100)}`,

  'pg-dead': () =>
    `deadlock detected: process ${int(1000, 9999)} waits for ShareLock on transaction ${int(1, 99999)}; blocked by process ${int(1000, 9999)}`,

  prisma: () => `prisma:query SELECT 1 took ${int(1, 99)}ms`,

  'pino-json': () =>
    JSON.stringify({
      level: 30,
      time: at(),
      pid: int(1, 9999),
      hostname: 'web-' + hex(6),
      reqId: uuid(),
      msg: 'request completed',
      responseTime: int(1, 900),
    }),

  'pino-json-err': () =>
    JSON.stringify({
      level: 50,
      time: at(),
      pid: int(1, 9999),
      hostname: 'web-' + hex(6),
      err: { type: 'Error', message: pick(['boom', 'bad gateway', 'no stock']) },
      msg: 'request failed',
    }),

  'json-order': () =>
    JSON.stringify({
      event: 'order_placed',
      id: int(1, 1e6),
      total: int(1, 999),
      user: pick(names),
      express: chance(),
    }),

  'json-refund': () =>
    JSON.stringify({
      event: 'order_refunded',
      id: int(1, 1e6),
      total: int(1, 999),
      user: pick(names),
      express: chance(),
    }),

  logfmt: () =>
    `level=info ts=${time()} caller=main.go:${int(10, 99)} msg="handled request" path=${pick(paths)} status=${pick([200, 500])} dur=${real(9, 3)}s`,

  'logfmt-drop': () =>
    `level=warn ts=${time()} caller=queue.go:${int(10, 99)} msg="dropped message" topic=${pick(services)} reason=${pick(['full', 'expired'])}`,

  'stack-ts': () =>
    `TypeError: Cannot read properties of undefined (reading '${pick(['id', 'name', 'price'])}')\n    at render (/app/.next/server/chunks/${hex(8)}.js:${int(1, 99)}:${int(1, 999)})\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`,

  'stack-enoent': () =>
    `Error: ENOENT: no such file or directory, open '/tmp/upload/${hex(12)}.png'\n    at async open (node:internal/fs/promises:${int(100, 999)}:25)`,

  stripe: () =>
    `Stripe charge ch_${hex(24)} ${pick(['failed: card_declined', 'failed: insufficient_funds'])} for customer cus_${hex(14)}`,

  'stripe-ok': () => `Stripe charge ch_${hex(24)} captured for customer cus_${hex(14)} amount ${int(100, 99999)}`,

  mail: () =>
    `Sent mail "${pick(['Welcome', 'Your order', 'Reset your password'])}" to ${pick(names).toLowerCase()}${int(1, 99)}@example.com`,

  'job-start': () => `job ${pick(['send-mail', 'reindex', 'cleanup'])} started (attempt ${int(1, 5)})`,
  'job-done': () => `job ${pick(['send-mail', 'reindex', 'cleanup'])} finished in ${int(1, 5000)} ms`,
  'job-fail': () =>
    `job ${pick(['send-mail', 'reindex', 'cleanup'])} failed: ${pick(['timeout', 'no connection', 'invalid payload: missing field id'])}`,

  'pay-acc': () => `payment ${int(1, 1e5)} accepted`,
  'pay-ref': () => `payment ${int(1, 1e5)} refused`,

  'cache-hit': () => `cache hit for key ${pick(services)}:${int(1, 999)}:${pick(['summary', 'detail'])}`,
  'cache-miss': () => `cache miss for key ${pick(services)}:${int(1, 999)}:${pick(['summary', 'detail'])}`,

  feature: () =>
    `feature flag ${pick(['new-checkout', 'dark-mode', 'beta-search'])} is ${pick(['on', 'off'])} for user ${int(1, 999)}`,

  healthcheck: () => `health check ok`,
  shutdown: () => `Received SIGTERM, closing server`,

  ws: () =>
    `socket ${hex(20)} disconnected: ${pick(['transport close', 'ping timeout', 'client namespace disconnect'])}`,

  gc: () =>
    `[${int(1, 999)}:0x${hex(12)}] ${int(100, 99999)} ms: Scavenge ${real(99, 1)} (${real(99, 1)}) -> ${real(99, 1)} (${real(99, 1)}) MB, ${real(9, 2)} / 0.00 ms`,

  k8s: () => `Successfully pulled image "registry.example/${pick(services)}:${hex(7)}x" in ${real(9, 3)}s`,

  hydr: () =>
    `Hydration failed because the server rendered text "${pick(names)}" did not match the client "${pick(names)}"`,

  upload: () =>
    `Uploaded ${pick(['report', 'avatar', 'invoice'])}_${int(1, 999)}.${pick(['pdf', 'png'])} (${real(9, 1)} MB) to s3://bucket/${uuid()}`,

  search: () =>
    `search for "${pick(['red mug', 'blue hat', 'tea'])}" returned ${int(0, 99)} results in ${int(1, 99)}ms`,

  'search-unq': () =>
    `search term ${pick(['mug', 'hat', 'tea', 'garden hose', 'large blue pot'])} returned ${int(0, 99)} results`,

  retry: () =>
    `Retrying ${pick(['GET', 'PUT', 'DELETE'])} https://${pick(services)}.internal/v1/${pick(['items', 'users', 'stock'])}/${int(1, 999)}?token=${hex(8)} (attempt ${int(1, 5)}/5)`,

  coupon: () => `Coupon ${pick(['SPRING', 'SUMMER', 'WELCOME'])} applied by ${pick(names)}`,
  ansi: () => `\u001b[32minfo\u001b[39m  server ready on port ${int(3000, 3999)}`,

  'lock-a': () => `acquired lock on table orders by worker ${int(1, 99)}`,
  'lock-r': () => `released lock on table orders by worker ${int(1, 99)}`,

  'queue-depth': () => `queue depth of ${pick(services)} is ${int(1, 999)}, ${pick(['above', 'below'])} limit`,

  'date-only': () =>
    `report for ${pick(['Mon', 'Tue', 'Wed', 'Thu'])} ${pick(['Jan', 'Feb', 'Mar'])} ${int(1, 28)} generated`,

  bool: () => `config reloaded dryRun=${chance()} force=${chance()}`,

  de: () =>
    `Bestellung ${int(1, 9999)} konnte nicht gespeichert werden: ${pick(['Verbindung verloren', 'Zeitüberschreitung'])}`,
}

/** Of systems around it, among them many that say opposite things. */
const systems: Templates = {
  'sshd-fail': () =>
    `Failed password for invalid user ${pick(['admin', 'oracle', 'guest', 'test', 'ftp'])} from 10.0.${int(1, 99)}.${int(1, 99)} port ${int(1000, 9999)} ssh2`,

  'sshd-ok': () =>
    `Accepted publickey for ${pick(['deploy', 'root', 'ada'])} from 10.0.${int(1, 99)}.${int(1, 99)} port ${int(1000, 9999)} ssh2`,

  'sess-open': () => `session opened for user ${pick(['deploy', 'root', 'ada'])} by uid ${int(0, 99)}`,

  'sess-close': () => `session closed for user ${pick(['deploy', 'root', 'ada'])}`,

  hdfs: () => `Received block blk_${int(1, 1e9)} of size ${int(1, 1e6)} from /10.${int(1, 99)}.1.2`,

  'kafka-joined': () =>
    `consumer ${pick(hosts)} joined group ${pick(['billing', 'mail', 'search'])} with ${int(1, 20)} partitions`,

  'kafka-left': () =>
    `consumer ${pick(hosts)} left group ${pick(['billing', 'mail', 'search'])} with ${int(1, 20)} partitions`,

  'tx-commit': () => `transaction ${int(1, 1e6)} committed`,
  'tx-roll': () => `transaction ${int(1, 1e6)} rolled back`,

  vacuum: () => `automatic vacuum of table ${pick(tables)}: removed ${int(1, 999)} rows`,

  analyze: () => `automatic analyze of table ${pick(tables)}: took ${int(1, 999)} ms`,

  'deploy-start': () => `deploy of ${pick(['web', 'api', 'worker'])} started by ${pick(visitors)}`,

  'deploy-fail': () =>
    `deploy of ${pick(['web', 'api', 'worker'])} failed: ${pick(['image not found', 'quota exceeded', 'probe failed'])}`,

  'login-ok': () => `login succeeded for ${pick(visitors)} with ${pick(['password', 'passkey', 'google'])}`,

  'login-no': () => `login failed for ${pick(visitors)} with ${pick(['password', 'passkey', 'google'])}`,

  disk: () => `disk usage on ${pick(hosts)} is at ${int(50, 99)} percent`,

  mem: () => `memory usage on ${pick(hosts)} is at ${int(50, 99)} percent`,

  bull: () => `[queue] ${pick(['sendMail', 'resizeImage', 'syncStock'])} completed in ${int(1, 999)} ms`,

  'bull-f': () => `[queue] ${pick(['sendMail', 'resizeImage', 'syncStock'])} stalled more than allowable limit`,

  webhook: () =>
    `Webhook ${pick(['invoice.paid', 'charge.failed', 'customer.created'])} delivered to ${pick(['acme', 'globex', 'initech', 'hooli'])} in ${int(1, 999)} ms`,

  'webhook-f': () =>
    `Webhook ${pick(['invoice.paid', 'charge.failed', 'customer.created'])} not delivered to ${pick(['acme', 'globex', 'initech', 'hooli'])}: status ${int(400, 599)}`,

  apache: () =>
    `[client 10.0.0.${int(1, 99)}:${int(1000, 9999)}] File does not exist: /var/www/${pick(['a', 'b', 'c'])}.html`,

  'express-slow': () =>
    `${pick(['GET', 'POST', 'PUT'])} /api/${pick(tables)} ${pick([200, 201, 500])} ${int(1, 999)} ms - ${int(10, 9999)}`,

  rate: () => `rate limit of ${pick(['free', 'pro', 'team'])} plan exceeded by ${pick(visitors)}`,

  'mig-up': () => `migration ${pick(tables)}_add_index applied`,
  'mig-down': () => `migration ${pick(tables)}_add_index reverted`,

  'feature-roll': () => `rollout of ${pick(['search', 'checkout', 'profile'])} raised to ${int(1, 100)} percent`,

  'feature-drop': () => `rollout of ${pick(['search', 'checkout', 'profile'])} lowered to ${int(1, 100)} percent`,

  'lock-w': () => `waiting for lock ${pick(tables)} held by ${pick(hosts)}`,
  'lock-g': () => `got lock ${pick(tables)} after ${int(1, 99)} ms`,

  'conn-o': () => `connection to database opened`,
  'conn-c': () => `connection to database closed`,

  'svc-h': () => `service ${pick(hosts)} is healthy`,
  'svc-u': () => `service ${pick(hosts)} is unhealthy`,

  fr: () => `Commande ${int(1, 9999)} expédiée à ${pick(['Lyon', 'Nantes', 'Paris'])}`,

  'err-t': () => `TypeError: ${pick(['foo', 'bar', 'cart'])} is not a function`,
  'err-r': () => `ReferenceError: ${pick(['foo', 'bar', 'cart'])} is not defined`,

  'err-500': () => `Unhandled rejection: database is down`,
  'err-501': () => `Unhandled rejection: card declined`,

  ci: () => `step ${pick(['build', 'lint', 'test'])} passed in ${int(1, 99)} s`,
  'ci-f': () => `step ${pick(['build', 'lint', 'test'])} failed in ${int(1, 99)} s`,

  isr: () => `revalidating ${pick(['/', '/a', '/b/c'])} because of tag ${pick(['products', 'posts'])}`,

  img: () => `image ${uuid()}.png resized to ${int(1, 999)}x${int(1, 999)}`,
}

export const logTemplates = { shop, systems }
