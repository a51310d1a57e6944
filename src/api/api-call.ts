import type { ZodType } from 'zod'
import type { CommandContext } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { ApiToken } from './find-api-viewer.ts'

/** An admitted request, as its handler gets it. */
export type ApiCall<Param extends string = never, Input = undefined> = {
  viewer: Viewer
  token: ApiToken
  /** For commands; the actor is the token. */
  context: CommandContext
  request: Request
  search: URLSearchParams
  /** The named segments of the path, decoded. */
  params: Readonly<Record<Param, string>>
  /** The JSON body, for handlers made with `withInput`. */
  input: Input
}

export type ApiHandler<Param extends string = never, Input = undefined> = {
  (call: ApiCall<Param, Input>): Promise<Response>
  /** The schema of the body, for handlers made with `withInput`. */
  schema?: ZodType
}
