/** The columns of an event that read like tags, under the names by which they are searched. */
export const tagColumns = [
  ['release', 'release'],
  ['environment', 'environment'],
  ['browser.name', 'browser_name'],
  ['os.name', 'os_name'],
  ['device', 'device'],
  ['route', 'route'],
  ['level', 'level'],
  ['server_name', 'server_name'],
] as const

/** What `tagPairs` is made of. */
export const tagPairsSource = ['tags', ...tagColumns.map(([, column]) => column)].join(', ')

/** They and the tags, as an array of `(name, value)`, for questions about shares; wants the parameter `perEvent`. */
export const tagPairs = `arrayConcat(
  [${tagColumns.map(([name, column]) => `('${name}', toString(${column}))`).join(', ')}],
  arraySlice(arrayMap((name, text) -> (toString(name), text), mapKeys(tags), mapValues(tags)), 1, {perEvent:UInt32})
)`
