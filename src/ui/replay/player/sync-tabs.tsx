'use client'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { formatWhole } from '#lib/format-whole.ts'
import { AmountChart } from './amount-chart.tsx'
import styles from './player.module.css'
import type { ReplayData } from './replay-data.ts'
import { rowAt, SyncList } from './sync-list.tsx'

type Props = {
  tabs: ReplayData['tabs']
  at: number
  durationMs: number
  onSeek: (at: number) => void
  onOutline: (nodeId: number) => void
}

/** What happened, in lists that follow the picture. */
export function SyncTabs({ tabs, at, durationMs, onSeek, onOutline }: Props) {
  const [chosen, choose] = useState(tabs[0]?.id)
  const list = useRef<HTMLDivElement>(null)
  const base = useId()
  const tab = tabs.find(({ id }) => id === chosen) ?? tabs[0]
  if (!tab) return null
  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const index = tabs.findIndex(({ id }) => id === chosen)
    const next = tabs[(index + step + tabs.length) % tabs.length]
    choose(next?.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next?.id}"]`)?.focus()
  }
  return (
    <section className={styles.right} aria-label="What happened">
      <div className={styles.tabs} role="tablist" aria-label="Lists" ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ id, label, rows }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            data-tab={id}
            aria-selected={id === tab.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === tab.id ? 0 : -1}
            onClick={() => choose(id)}
          >
            {label} <span>{formatWhole(rows.length)}</span>
          </button>
        ))}
      </div>
      <div className={styles.panel} role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${tab.id}`}>
        {tab.rows.some(({ amount }) => amount !== undefined) ? (
          <AmountChart rows={tab.rows} durationMs={durationMs} at={at} />
        ) : null}
        {tab.rows.length === 0 ? (
          <p className={styles.empty}>{tab.empty}</p>
        ) : (
          <SyncList
            key={tab.id}
            label={tab.label}
            rows={tab.rows}
            now={rowAt(tab.rows, at)}
            onSeek={onSeek}
            onOutline={onOutline}
          />
        )}
      </div>
    </section>
  )
}
