/** A project with as many routes as are kept: nothing more is learned, and pages can say so. */
import { expect, test } from 'vitest'
import { processRecord } from '#digest/process-record.ts'
import { findFullProjects } from '#domain/routes/find-full-projects.ts'
import { learnRoutes, listClaims, maxKnownRoutes } from '#react/routes/resolve-routes.ts'
import { testContext } from '../make-record.ts'
import { readFrameworkCaptures } from '../read-framework-captures.ts'
import { viewAs } from '../view-as.ts'
import { onEachEngine } from './on-each-engine.ts'
import { makeWorld } from './workflow-world.ts'

onEachEngine(({ newAcme }) => {
  test('only the full project is named, and only to those who see it', async () => {
    const world = await makeWorld(await newAcme())
    const { control, web, other } = world
    const fill = (project_id: number, inbox_id: string, from: number, count: number) =>
      control.db
        .insertInto('known_route')
        .values(
          Array.from({ length: count }, (_, at) => ({ inbox_id, project_id, route: `/${from + at}/[id]`, seen_at: 1 })),
        )
        .execute()
    // By inbox: each node learns what comes through it.
    for (const [id, inbox] of [
      [web, 'a'],
      [other, 'a'],
      [other, 'b'],
    ] as const)
      await fill(id, inbox, 0, maxKnownRoutes / 2)
    const viewer = viewAs({ control }, { projects: [web, other] })
    expect(await findFullProjects(viewer)).toEqual([])
    await fill(web, 'a', maxKnownRoutes / 2, maxKnownRoutes / 2)
    expect(await findFullProjects(viewer)).toEqual([web])
    expect(await findFullProjects(viewer, [other])).toEqual([])
    expect(await findFullProjects(viewAs({ control }, { projects: [other] }))).toEqual([])
  })
})

test('a full project learns nothing, and the others of a batch do', () => {
  const spans = [41, 42].flatMap(projectId =>
    [...readFrameworkCaptures('rr3').values()].flat().flatMap(({ head, body }) => {
      return processRecord({ head: { ...head, projectId }, body }, testContext).rows.spans ?? []
    }),
  )
  const claims = listClaims({ spans, errors: [] })
  const full = new Set(Array.from({ length: maxKnownRoutes - 1 }, (_, at) => `/${at}`))
  const learned = learnRoutes(
    spans,
    claims,
    new Map([
      [41, full],
      [42, new Set<string>()],
    ]),
  )
  expect(learned.filter(({ project_id }) => project_id === 41).length).toBe(1)
  expect(learned.filter(({ project_id }) => project_id === 42).length).toBeGreaterThan(5)
})
