import { defineApiRoute } from '#api/define-api-route.ts'
import { answerExplored } from '#api/explore-response.ts'
import { readPage } from '#api/pages.ts'
import { faultAnswer, readFilter } from '#api/read-filter.ts'
import { readQuestion } from '#api/validate-query.ts'
import { explore } from '#domain/explore/explore.ts'

const usualLimit = 50

/** Any fields and functions of errors, spans or logs. */
export const GET = defineApiRoute({ needs: 'event:read' }, async ({ viewer, request, search }) => {
  const asked = readPage(search, usualLimit)
  const page = { ...asked, asOf: asked.asOf ?? viewer.now }
  const filter = readFilter(viewer, search, page.asOf)
  if (filter instanceof Response) return filter
  const question = readQuestion(search)
  const found = await explore(viewer, question, filter, page)
  return found.ok ? answerExplored(request, question.dataset, found, page) : faultAnswer(found)
})
