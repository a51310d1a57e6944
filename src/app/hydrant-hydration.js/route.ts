import { readHelper } from '#helper/read-helper.ts'
import { helperResponse } from '#web/helper-response.ts'

export const dynamic = 'force-static'

/** The browser helper for a script tag. */
export const GET = () => helperResponse(readHelper('script'))
