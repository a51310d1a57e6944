/** Code that came with a package, a bundler's runtime or a framework's own build. */
const foreign =
  /(?:^|\/)node_modules\/|^node:|(?:^|\/)(?:webpack|turbopack|rspack|vite)\/(?:runtime|bootstrap|startup|before-startup|container|preload-helper)|(?:^|\/)\[(?:turbopack|next|externals)\]|(?:^|\/)next\/(?:dist|src)\/|^(?:external |ignored\||\(webpack\))|^\0|^(?:webpack|turbopack)\/universalModuleDefinition/

/** Is a source the app's own, judged by its path as the map gives it and as people read it? */
export function isAppSource(source: string, path: string): boolean {
  return !foreign.test(path) && !foreign.test(source.replace(/^[a-z]+:\/\/\/?/, ''))
}
