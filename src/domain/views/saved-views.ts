/** Saved views: a name for the URL of a list, of one member or shared with the organization (0072). */
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { cleanViewQuery, type ViewList } from './view-lists.ts'

export type SavedView = {
  id: number
  name: string
  query: string
  isShared: boolean
  isMine: boolean
  /** The member opens the list with it. */
  isDefault: boolean
}

/** Views that one person sees of one list. */
const mostViews = 50
const maxName = 60

/** The views of a list that the viewer sees, in their order. */
export async function listSavedViews(viewer: Viewer, list: ViewList): Promise<SavedView[]> {
  const rows = await viewer.control
    .savedViewsOf(viewer.user.id)
    .leftJoin('default_view', join =>
      join.onRef('default_view.view_id', '=', 'saved_view.id').on('default_view.user_id', '=', viewer.user.id),
    )
    .select(['saved_view.id', 'name', 'query', 'is_shared', 'saved_view.user_id', 'default_view.view_id'])
    .where('saved_view.list', '=', list)
    .orderBy('position')
    .orderBy('saved_view.id')
    .limit(mostViews)
    .execute()
  return rows.map(row => ({
    id: row.id,
    name: row.name,
    query: row.query,
    isShared: row.is_shared === 1,
    isMine: row.user_id === viewer.user.id,
    isDefault: row.view_id !== null,
  }))
}

/** With which query the member opens each list, where it is not the plain one. */
export async function listDefaultViews(viewer: Viewer): Promise<Record<string, string>> {
  const rows = await viewer.control
    .savedViewsOf(viewer.user.id)
    .innerJoin('default_view', 'default_view.view_id', 'saved_view.id')
    .select(['saved_view.list', 'query'])
    .where('default_view.user_id', '=', viewer.user.id)
    .execute()
  return Object.fromEntries(rows.map(({ list, query }) => [list, query]))
}

type Who = { organizationId: number; userId: string; mayShare: boolean }
type Fault = 'name_missing' | 'view_not_found' | 'too_many_views' | 'view_too_long' | 'not_permitted'
type Result = { ok: true; name: string } | { ok: false; code: Fault }

export function saveView(
  context: CommandContext,
  {
    organizationId,
    userId,
    mayShare,
    ...view
  }: Who & { list: ViewList; name: string; query: string; isShared: boolean },
): Promise<Result> {
  return inTransaction<Result>(context, async inner => {
    const name = view.name.trim().slice(0, maxName)
    const query = cleanViewQuery(view.query)
    if (name === '') return { ok: false, code: 'name_missing' }
    if (query === null) return { ok: false, code: 'view_too_long' }
    if (view.isShared && !mayShare) return { ok: false, code: 'not_permitted' }
    const known = await visible(inner, organizationId, userId).where('list', '=', view.list).execute()
    if (known.length >= mostViews) return { ok: false, code: 'too_many_views' }
    const { id } = await inner.db
      .insertInto('saved_view')
      .values({
        organization_id: organizationId,
        user_id: userId,
        list: view.list,
        name,
        query,
        is_shared: view.isShared ? 1 : 0,
        position: Math.max(0, ...known.map(({ position }) => position)) + 1,
        created_at: inner.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(inner, {
      organizationId,
      action: 'view.save',
      target: `view:${id}`,
      detail: { name, list: view.list },
    })
    return { ok: true, name }
  })
}

export const viewChanges = ['delete', 'default', 'plain', 'earlier', 'share', 'unshare', 'replace'] as const
export type ViewChange = (typeof viewChanges)[number]

/** Changes a view of the member's own, or a shared one if the member may share. Whom a default is for is nobody else's matter. */
export function changeView(
  context: CommandContext,
  {
    organizationId,
    userId,
    mayShare,
    viewId,
    change,
    query,
  }: Who & { viewId: number; change: ViewChange; query: string },
): Promise<Result> {
  return inTransaction<Result>(context, async inner => {
    const [view] = await visible(inner, organizationId, userId).where('id', '=', viewId).execute()
    if (view === undefined) return { ok: false, code: 'view_not_found' }
    const isOwn = view.user_id === userId && view.is_shared === 0
    const isPersonal = change === 'default' || change === 'plain'
    if (!isOwn && !isPersonal && !mayShare) return { ok: false, code: 'not_permitted' }
    if (change === 'share' && !mayShare) return { ok: false, code: 'not_permitted' }
    const clean = cleanViewQuery(query)
    if (change === 'replace' && clean === null) return { ok: false, code: 'view_too_long' }
    await apply(inner, view, { change, query: clean ?? '', organizationId, userId })
    const { name, list } = view
    await writeAudit(inner, {
      organizationId,
      action: `view.${change}`,
      target: `view:${viewId}`,
      detail: { name, list },
    })
    return { ok: true, name }
  })
}

type Row = { id: number; user_id: string; list: string; name: string; is_shared: number; position: number }

function visible({ db }: CommandContext, organizationId: number, userId: string) {
  return db
    .selectFrom('saved_view')
    .select(['id', 'user_id', 'list', 'name', 'is_shared', 'position'])
    .where('organization_id', '=', organizationId)
    .where(({ or, eb }) => or([eb('is_shared', '=', 1), eb('user_id', '=', userId)]))
    .orderBy('position')
    .orderBy('id')
}

async function apply(
  context: CommandContext,
  view: Row,
  {
    change,
    query,
    organizationId,
    userId,
  }: { change: ViewChange; query: string; organizationId: number; userId: string },
): Promise<void> {
  const { db } = context
  const update = (values: { is_shared: 0 | 1 } | { query: string } | { position: number }, id = view.id) =>
    db.updateTable('saved_view').set(values).where('id', '=', id).execute()
  const clearDefault = () =>
    db
      .deleteFrom('default_view')
      .where('user_id', '=', userId)
      .where('organization_id', '=', organizationId)
      .where('list', '=', view.list)
      .execute()
  switch (change) {
    case 'delete':
      await db.deleteFrom('default_view').where('view_id', '=', view.id).execute()
      await db.deleteFrom('saved_view').where('id', '=', view.id).execute()
      return
    case 'share':
      await update({ is_shared: 1 })
      return
    case 'unshare':
      // Nobody else sees it from now on, so nobody else can open a list with it.
      await db.deleteFrom('default_view').where('view_id', '=', view.id).where('user_id', '!=', view.user_id).execute()
      await update({ is_shared: 0 })
      return
    case 'replace':
      await update({ query })
      return
    case 'default':
      await clearDefault()
      await db
        .insertInto('default_view')
        .values({ user_id: userId, organization_id: organizationId, list: view.list, view_id: view.id })
        .execute()
      return
    case 'plain':
      await clearDefault()
      return
    case 'earlier': {
      const all = await visible(context, organizationId, userId).where('list', '=', view.list).execute()
      const before = all[all.findIndex(({ id }) => id === view.id) - 1]
      if (before === undefined) return
      await update({ position: before.position })
      await update({ position: view.position === before.position ? before.position + 1 : view.position }, before.id)
    }
  }
}
