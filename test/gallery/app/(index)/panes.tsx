'use client'
import { useEffect, useRef, useState } from 'react'
import { useIsBrowser } from '#ui/use-is-browser.ts'
import styles from './panes.module.css'

type Theme = 'light' | 'dark'
type Width = 'wide' | 'narrow'
const themes: Record<string, readonly Theme[]> = { both: ['light', 'dark'], light: ['light'], dark: ['dark'] }
/** Narrow is a phone. Wide is drawn smaller if the window has no room for it, because a narrower page looks different. */
const pageWidths: Record<Width, number> = { wide: 1_100, narrow: 390 }

type Entry = { folder: string; name: string; id: string }

/** The pages of both themes beside each other, scrolled together, with a list of their components and a filter. */
export function Panes() {
  const isBrowser = useIsBrowser()
  const [shown, setShown] = useState('both')
  const [width, setWidth] = useState<Width>('wide')
  const [filter, setFilter] = useState('')
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const frames = useRef(new Set<HTMLIFrameElement>())
  const matching = entries.filter(({ id }) => id.toLowerCase().includes(filter.trim().toLowerCase()))

  useEffect(() => {
    const kept = new Set(matching.map(({ id }) => id))
    for (const exhibit of listExhibits(frames.current)) exhibit.hidden = !kept.has(exhibit.id)
  }, [matching])

  function onLoad(frame: HTMLIFrameElement): void {
    setEntries(listExhibits([frame]).map(({ id }) => toEntry(id)))
    frame.contentWindow?.addEventListener('scroll', () => {
      for (const other of frames.current)
        if (other !== frame) other.contentWindow?.scrollTo(0, frame.contentWindow?.scrollY ?? 0)
    })
    goTo(location.hash.slice(1))
  }
  function goTo(id: string): void {
    for (const frame of frames.current) frame.contentDocument?.getElementById(id)?.scrollIntoView()
  }
  return (
    <div className={styles.page}>
      <aside className={styles.side}>
        <h1>Gallery</h1>
        <input
          className="inp"
          type="search"
          aria-label="Filter"
          placeholder="Filter"
          value={filter}
          onChange={event => setFilter(event.target.value)}
        />
        <Choice label="Theme" options={Object.keys(themes)} chosen={shown} onChoose={setShown} />
        <Choice
          label="Width"
          options={Object.keys(pageWidths)}
          chosen={width}
          onChoose={chosen => setWidth(chosen as Width)}
        />
        <nav aria-label="Components">
          {[...Map.groupBy(matching, ({ folder }) => folder)].map(([folder, members]) => (
            <section key={folder}>
              <h2>{folder}</h2>
              {members.map(({ id, name }) => (
                <a key={id} href={`#${id}`} onClick={() => goTo(id)}>
                  {name}
                </a>
              ))}
            </section>
          ))}
        </nav>
      </aside>
      {isBrowser
        ? themes[shown]?.map(theme => (
            <Pane key={theme} theme={theme} pageWidth={pageWidths[width]} frames={frames.current} onLoad={onLoad} />
          ))
        : null}
    </div>
  )
}

const listExhibits = (frames: Iterable<HTMLIFrameElement>): HTMLElement[] =>
  [...frames].flatMap(({ contentDocument }) => [
    ...(contentDocument?.querySelectorAll<HTMLElement>('[data-exhibit]') ?? []),
  ])

function toEntry(id: string): Entry {
  const at = id.lastIndexOf('/')
  return { id, folder: id.slice(0, at), name: id.slice(at + 1) }
}

type ChoiceProps = { label: string; options: readonly string[]; chosen: string; onChoose: (option: string) => void }

function Choice({ label, options, chosen, onChoose }: ChoiceProps) {
  return (
    <fieldset className="seg" aria-label={label}>
      {options.map(option => (
        <button key={option} type="button" aria-pressed={option === chosen} onClick={() => onChoose(option)}>
          {option}
        </button>
      ))}
    </fieldset>
  )
}

type PaneProps = {
  theme: Theme
  pageWidth: number
  frames: Set<HTMLIFrameElement>
  onLoad: (frame: HTMLIFrameElement) => void
}

function Pane({ theme, pageWidth, frames, onLoad }: PaneProps) {
  const pane = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState(pageWidth)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? pageWidth))
    if (pane.current) observer.observe(pane.current)
    return () => observer.disconnect()
  }, [pageWidth])
  const scale = Math.min(1, room / pageWidth)
  return (
    <div ref={pane} className={styles.pane}>
      <iframe
        ref={frame => {
          if (!frame) return
          frames.add(frame)
          return () => void frames.delete(frame)
        }}
        title={`${theme} theme`}
        src={`/${theme}`}
        onLoad={event => onLoad(event.currentTarget)}
        style={{
          width: pageWidth === pageWidths.narrow ? pageWidth : Math.max(pageWidth, room),
          height: `${100 / scale}%`,
          transform: `scale(${scale})`,
        }}
      />
    </div>
  )
}
