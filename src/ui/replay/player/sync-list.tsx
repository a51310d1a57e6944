'use client'
import {
  AppWindow,
  CircleX,
  Globe,
  Keyboard,
  Mail,
  MemoryStick,
  MousePointer2,
  MousePointerBan,
  MousePointerClick,
  ScrollText,
  Server,
  SquareTerminal,
} from 'lucide-react'
import { memo, useEffect, useRef } from 'react'
import { Link } from '../../link.tsx'
import { shorten } from '../../shorten.ts'
import { formatOffset } from '../format-offset.ts'
import type { SyncRow } from './replay-data.ts'
import styles from './sync-list.module.css'

const icons = {
  click: MousePointer2,
  rage: MousePointerClick,
  dead: MousePointerBan,
  page: AppWindow,
  input: Keyboard,
  console: SquareTerminal,
  request: Globe,
  error: CircleX,
  server: Server,
  feedback: Mail,
  tab: AppWindow,
  log: ScrollText,
  memory: MemoryStick,
} as const

type Props = {
  label: string
  rows: readonly SyncRow[]
  /** The last row that has happened; -1 before the first. */
  now: number
  onSeek: (at: number) => void
  onOutline: (nodeId: number) => void
}

/** Rows in step with the picture: playing moves the highlight, a click on a row seeks. */
export const SyncList = memo(function SyncList({ label, rows, now, onSeek, onOutline }: Props) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const box = list.current
    const row = box?.children[now]
    // Nothing moves under the pointer or the keyboard.
    if (!(row instanceof HTMLElement) || !box || box.matches(':hover, :focus-within')) return
    box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 2
  }, [now])
  return (
    <ol ref={list} className={styles.list} aria-label={label}>
      {rows.map((row, index) => {
        const Icon = icons[row.icon]
        const looks = [styles[row.look], index === now ? styles.now : '', index > now ? styles.future : '']
        return (
          <li key={row.id} className={looks.filter(Boolean).join(' ')}>
            <button
              type="button"
              onClick={() => onSeek(row.at)}
              onPointerEnter={row.nodeId ? () => onOutline(row.nodeId ?? 0) : undefined}
              onPointerLeave={row.nodeId ? () => onOutline(0) : undefined}
              aria-current={index === now ? 'step' : undefined}
            >
              <time>{row.earlierMs ? `−${formatOffset(row.earlierMs)}` : formatOffset(row.at)}</time>
              <Icon className="i i-s" aria-hidden="true" />
              <span className={styles.words}>
                {row.verb} {row.what === '' ? null : <code>{shorten(row.what, 200)}</code>}
              </span>
            </button>
            {row.href ? (
              <Link className={styles.note} href={row.href}>
                {row.note}
              </Link>
            ) : (
              <span className={styles.note}>{row.note}</span>
            )}
          </li>
        )
      })}
    </ol>
  )
})

/** The last row that has happened at a time. */
export function rowAt(rows: readonly SyncRow[], at: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.at ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}
