import type { Verb } from '#domain/access/permissions.ts'
import type { TokenScope } from '#domain/tokens/token-scopes.ts'
import type { ApiHandler } from './api-call.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
/** For a read, the required scope, or `null` if every token of the organization may read it; for a write, its verbs. */
export type Needs = TokenScope | null | { does: readonly Verb[] }
export type PathParams = Readonly<Record<string, string>>

export type Route = {
  method: Method
  /** `/api/0/organizations/[org]/releases/[version]`. Reports contain it instead of the path, which may have private values. */
  pattern: string
  needs: Needs
  handle: ApiHandler<string>
}

/** The names in brackets: `'org' | 'version'`. */
type ParamOf<Pattern extends string> = Pattern extends `${string}[${infer Param}]${infer Rest}`
  ? Param | ParamOf<Rest>
  : never

/** A row of the table. A handler that reads a parameter which the pattern doesn't name does not compile. */
export function route<Pattern extends string>(
  method: Method,
  pattern: Pattern,
  needs: Needs,
  handle: ApiHandler<ParamOf<Pattern>>,
): Route {
  return { method, pattern, needs, handle }
}
