import type { Viewer } from '#domain/access/viewer.ts'
import { findSpanProfile, type SpanProfile } from '#domain/profiles/find-profile.ts'
import { getRuntime } from '#runtime.ts'
import { getSymbolicator } from '#web/get-symbolicator.ts'

type Address = { traceId: string; spanId: string }

export const loadProfile = (viewer: Viewer, address: Address): Promise<SpanProfile | null> =>
  findSpanProfile(viewer, { blobs: getRuntime().blobs, symbolicator: getSymbolicator() }, address)
