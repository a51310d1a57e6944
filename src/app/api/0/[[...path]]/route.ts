import { routeApiRequest } from '#api/router.ts'

/** All of /api/0: the table of its routes is api/routes.ts. Next answers HEAD by GET. */
export const GET = routeApiRequest
export const POST = routeApiRequest
export const PUT = routeApiRequest
export const PATCH = routeApiRequest
export const DELETE = routeApiRequest
export const OPTIONS = routeApiRequest
