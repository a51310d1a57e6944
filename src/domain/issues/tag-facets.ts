/** Tags that say the same: the SDK and we both name the browser, and a release is also a deploy. */
const facets: Readonly<Record<string, readonly string[]>> = {
  release: ['release', 'dist', 'deployment', 'build', 'commit'],
  environment: ['environment', 'env'],
  browser: ['browser', 'browser.name', 'browser.version', 'client.name', 'user_agent'],
  os: ['os', 'os.name', 'os.version', 'os.build', 'client_os', 'client_os.name'],
  device: ['device', 'device.family', 'device.class', 'device.model', 'device.brand', 'screen'],
  user: ['user', 'user.id', 'user.email', 'user.username', 'user.ip', 'user_id'],
  route: ['route', 'transaction', 'url', 'page', 'path', 'http.route', 'next.route'],
  locale: ['locale', 'lang', 'language', 'culture.locale'],
  timezone: ['timezone', 'time_zone', 'tz', 'culture.timezone'],
  server: ['server_name', 'host', 'hostname', 'instance', 'pod'],
}
const facetOfTag = new Map(Object.entries(facets).flatMap(([facet, keys]) => keys.map(key => [key, facet])))

/** A tag that we don't know is about itself. */
export const facetOf = (key: string): string => facetOfTag.get(key.toLowerCase()) ?? `tag ${key}`

/** What the code of an error decides and not its users: every event of the issue has the same. */
const aboutCode = new Set([
  'level',
  'handled',
  'mechanism',
  'logger',
  'type',
  'error.type',
  'platform',
  'runtime',
  'runtime.name',
  'sdk',
  'sdk.name',
  'sdk.version',
  'side',
  'http.method',
  'method',
])
export const isAboutCode = (key: string): boolean => aboutCode.has(key.toLowerCase())

/** Its share changes with every deploy, so shares of different times cannot be compared. */
export const isAboutRelease = (key: string): boolean => facetOf(key) === 'release'

/** An error usually has one route, which its heading names. It is worth a word only if nothing else is. */
export const isRoute = (key: string): boolean => facetOf(key) === 'route'

/** What makes server and browser render differently: of a hydration error it says more than any other tag. */
export const breaksHydration = (key: string): boolean => ['browser', 'locale', 'timezone'].includes(facetOf(key))
