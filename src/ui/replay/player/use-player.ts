'use client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type Extras, type Masking, readRecording } from './read-recording.ts'

type Frame = { type: number; timestamp: number }

/** `loading` until there is a picture; `empty` if the recording has none. */
export type PlayerState = 'loading' | 'ready' | 'empty' | 'failed'

export type PlayerOptions = {
  /** The address of the recording. */
  recordingHref: string
  /** When the replay began, in milliseconds since 1970. */
  startedAt: number
  durationMs: number
  /** Where it opens. */
  openAt: number
  loadsImages: boolean
}

/** A recording whose clock was corrected has other times than its replay. */
const wrongClockMs = 10 * 60_000
const [fullSnapshot, custom] = [2, 5]
/** A page is drawn by its first picture when that comes a little later. */
const unseenMs = 5_000
/** The rest of a recording waits this long for the first picture, which a page that cannot be built never gives. */
const longestWaitMs = 2_000

/**
 * Loads a recording, hands it to the player document as it arrives, and follows its time. The page never touches what was recorded:
 * it passes sanitized events on.
 */
export function usePlayer({ recordingHref, startedAt, durationMs, openAt, loadsImages }: PlayerOptions) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [state, setState] = useState<PlayerState>('loading')
  const [at, setAt] = useState(openAt)
  const [isPlaying, setPlaying] = useState(false)
  const [isSkipping, setSkipping] = useState(false)
  const [loadedTo, setLoadedTo] = useState(0)
  /** Where the first picture is. */
  const [recordedFrom, setRecordedFrom] = useState(0)
  const [notes, setNotes] = useState<Notes>(noNotes)
  const [extras, setExtras] = useState<Extras & { base: number }>({ ...noExtras, base: startedAt })
  /** What the handlers need to know without a new render. */
  const live = useRef({ at: openAt, isPlaying: false, loadedTo: 0, wanted: null as number | null })
  const send = useCallback(
    (message: object) => frame.current?.contentWindow?.postMessage(message, window.location.origin),
    [],
  )

  const seek = useCallback(
    (to: number, plays = live.current.isPlaying) => {
      const target = Math.max(0, Math.min(to, durationMs))
      const { current } = live
      current.at = target
      current.isPlaying = plays
      setAt(target)
      setPlaying(plays)
      // What is not there yet is sought when it has arrived.
      current.wanted = target > current.loadedTo ? target : null
      if (current.wanted === null) send({ kind: 'seek', at: target, isPlaying: plays })
    },
    [durationMs, send],
  )

  useEffect(() => {
    const abort = new AbortController()
    const { current } = live
    let showPicture: () => void = () => undefined
    const isBuilt = new Promise<void>(resolve => {
      showPicture = resolve
    })
    const onMessage = ({ origin, source, data }: MessageEvent) => {
      if (origin !== window.location.origin || source !== frame.current?.contentWindow) return
      if (data?.from !== 'hydrant-player') return
      if (data.kind === 'ready') void load()
      else if (data.kind === 'time' && current.isPlaying && current.wanted === null) {
        current.at = Math.min(data.at, durationMs)
        setAt(current.at)
      } else if (data.kind === 'ended') {
        current.isPlaying = false
        setPlaying(false)
      } else if (data.kind === 'skipping') setSkipping(data.isOn)
      else if (data.kind === 'built' || data.kind === 'failed') {
        setState(data.kind === 'built' ? 'ready' : 'failed')
        showPicture()
      }
    }
    window.addEventListener('message', onMessage)

    // The recording and the document that plays it are loaded side by side.
    const response = fetch(`${recordingHref}${loadsImages ? '?images=1' : ''}`, { signal: abort.signal })
    response.catch(() => undefined) // reported when it is read
    let hasBegun = false
    async function load(): Promise<void> {
      if (hasBegun) return
      hasBegun = true
      try {
        await hand()
      } catch {
        if (!abort.signal.aborted) setState('failed')
      }
    }

    async function hand(): Promise<void> {
      setExtras({ ...noExtras, base: startedAt })
      let early: Frame[] | null = []
      let base = startedAt
      for await (const segment of readRecording(response)) {
        const frames = segment.frames.sort((a, b) => a.timestamp - b.timestamp)
        const { masking, cut, isReadable, stylesheets } = segment
        if (masking !== null || cut > 0 || !isReadable || stylesheets > 0)
          setNotes(known => ({
            masking: known.masking ?? masking,
            cut: known.cut + cut,
            stylesheets: Math.max(known.stylesheets, stylesheets),
            unreadable: isReadable ? known.unreadable : [...known.unreadable, segment.segment],
          }))
        const { resources, memory } = segment
        if (resources.length + memory.length > 0)
          setExtras(known => ({
            ...known,
            resources: [...known.resources, ...resources],
            memory: [...known.memory, ...memory],
          }))
        const last = frames.at(-1)
        if (early === null) send({ kind: 'add', frames })
        else {
          early.push(...frames)
          const picture = early.find(({ type }) => type === fullSnapshot)
          if (picture !== undefined) {
            const first = early[0]?.timestamp ?? startedAt
            base = Math.abs(first - startedAt) > wrongClockMs ? first : Math.min(startedAt, first)
            const begun = base
            setExtras(known => ({ ...known, base: begun }))
            beginAt(picture.timestamp - base)
            send({
              kind: 'load',
              base,
              frames: early,
              at: current.at <= (last?.timestamp ?? 0) - base ? current.at : 0,
            })
            early = null
            // Player and page share a thread: what follows would be read and handed over before the picture is built.
            await Promise.race([isBuilt, new Promise(resolve => setTimeout(resolve, longestWaitMs))])
          }
        }
        if (last !== undefined && early === null) arrive(last.timestamp - base)
      }
      if (early !== null) return setState('empty')
      // The player goes on to the end of the replay, although nothing moves any more.
      send({ kind: 'add', frames: [{ type: custom, timestamp: base + durationMs, data: { tag: 'end', payload: {} } }] })
      arrive(durationMs)
    }

    /** A recording that begins with an error has only the last minute before it. */
    function beginAt(from: number): void {
      const known = from > unseenMs ? from : 0
      setRecordedFrom(known)
      if (current.at >= known) return
      current.at = known
      setAt(known)
    }

    function arrive(to: number): void {
      current.loadedTo = Math.max(current.loadedTo, to)
      setLoadedTo(current.loadedTo)
      const wanted =
        current.wanted ?? (current.at > 0 && current.at <= current.loadedTo && !current.isPlaying ? current.at : null)
      if (wanted === null || wanted > current.loadedTo) return
      current.wanted = null
      send({ kind: 'seek', at: wanted, isPlaying: current.isPlaying })
    }

    // The document may have said that it is ready before this page listened.
    if (frame.current?.contentDocument?.readyState === 'complete' && frame.current.contentDocument.title !== '')
      void load()
    return () => {
      abort.abort()
      window.removeEventListener('message', onMessage)
    }
  }, [recordingHref, startedAt, durationMs, loadsImages, send])

  return { frame, state, at, isPlaying, isSkipping, loadedTo, recordedFrom, notes, extras, seek, send }
}

const noExtras: Extras = { resources: [], memory: [] }
/** `stylesheets` are those of the recorded site that were not loaded. */
type Notes = { masking: Masking | null; cut: number; stylesheets: number; unreadable: number[] }
const noNotes: Notes = { masking: null, cut: 0, stylesheets: 0, unreadable: [] }

export type Player = ReturnType<typeof usePlayer>
