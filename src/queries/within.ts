/** One id of the scope, or none: an id from an address never widens what the viewer may see. */
export function within(scope: number[], id: number): number[] {
  return scope.includes(id) ? [id] : [0]
}
