'use client'
import { type ComponentType, lazy } from 'react'
import { probe, untilFound } from './connection.ts'
import { putLoss } from './losses.ts'

type Part<Props> = { default: ComponentType<Props> }

/**
 * A component whose script is loaded when it is first drawn. Without a connection it waits for one. A file of an earlier build is gone:
 * then the part stays empty and a note offers a reload, because an error would take the page and what was typed into it.
 */
export function lazyPart<Props extends object>(load: () => Promise<Part<Props>>) {
  return lazy(() => loadPart(load))
}

async function loadPart<Props>(load: () => Promise<Part<Props>>): Promise<Part<Props>> {
  try {
    return await load()
  } catch {
    if (await probe()) return missing()
    await untilFound()
    return load().catch(missing)
  }
}

function missing() {
  putLoss({ kind: 'missing_part', data: new FormData(), again: () => {} })
  return { default: () => null }
}
