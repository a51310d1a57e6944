import { readHelper } from '#helper/read-helper.ts'
import { helperResponse } from '#web/helper-response.ts'

export const dynamic = 'force-static'

/** The browser helper to be imported. */
export const GET = () => helperResponse(readHelper('module'))
