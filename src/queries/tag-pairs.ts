/** The columns of an event that read like tags, and its tags, as pairs of name and value: for questions about shares. */
export const tagPairsSource = 'tags, release, environment, browser_name, os_name, device, route, level, server_name'

/** An array of `(name, value)`; wants the parameter `perEvent`. */
export const tagPairs = `arrayConcat(
  [('release', toString(release)), ('environment', toString(environment)), ('browser.name', toString(browser_name)),
    ('os.name', toString(os_name)), ('device', toString(device)), ('route', toString(route)),
    ('level', toString(level)), ('server_name', toString(server_name))],
  arraySlice(arrayMap((name, text) -> (toString(name), text), mapKeys(tags), mapValues(tags)), 1, {perEvent:UInt32})
)`
