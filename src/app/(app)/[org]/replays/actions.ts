'use server'
import { z } from 'zod'
import { deleteReplay } from '#domain/replays/delete-replay.ts'
import { getRuntime } from '#runtime.ts'
import { defineAction } from '#web/define-action.ts'
import { tableLayout } from '#web/table-layout.ts'

const input = z.object({ replay: z.string().max(40) })

export const removeReplay = defineAction(
  { input, verb: 'replay.delete' },
  (context, { replay }, viewer) => {
    const { telemetry, blobs } = getRuntime()
    const stores = { telemetry, blobs, layout: tableLayout() }
    return deleteReplay(context, { viewer, stores, replayId: replay })
  },
  (_, viewer) => ({ go: `/${viewer.organization.slug}/replays` }),
)
