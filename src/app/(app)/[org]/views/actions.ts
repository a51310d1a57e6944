'use server'
import { z } from 'zod'
import { mayDo } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { changeView, saveView, viewChanges } from '#domain/views/saved-views.ts'
import { viewLists } from '#domain/views/view-lists.ts'
import { defineAction } from '#web/define-action.ts'
import { formCount } from '#web/form-number.ts'

const input = z.object({
  change: z.enum(['save', ...viewChanges]),
  list: z.enum(viewLists),
  query: z.string().max(8_000).default(''),
  name: z.string().max(200).default(''),
  shared: z.literal('on').optional(),
  view: formCount.default(0),
})

const whoIs = (viewer: Viewer) => ({
  organizationId: viewer.organization.id,
  userId: viewer.user.id,
  mayShare: mayDo(viewer.role, 'view.share'),
})

const words = {
  save: 'saved',
  delete: 'deleted',
  default: 'opens with the list from now on',
  plain: 'no longer opens with the list',
  earlier: 'moved',
  share: 'shared with everybody',
  unshare: 'yours alone again',
  replace: 'updated',
} as const

/** One form for all changes of views; the pressed button names the change. The command checks whose view it is. */
export const changeSavedView = defineAction(
  {
    input,
    verb: {
      among: ['view.save', 'view.share'],
      chosen: ({ change, shared }) =>
        change === 'share' || (change === 'save' && shared) ? 'view.share' : 'view.save',
    },
    faultField: 'name',
  },
  async (context, { change, list, query, name, shared, view }, viewer) => {
    const result =
      change === 'save'
        ? await saveView(context, { ...whoIs(viewer), list, name, query, isShared: shared === 'on' })
        : await changeView(context, { ...whoIs(viewer), viewId: view, change, query })
    return result.ok ? { ...result, change } : result
  },
  ({ name, change }) => ({ say: `View “${name}”: ${words[change]}.` }),
)
