/**
 * Runs in the player document, the only place that has rrweb. It gets sanitized events from the page around it, plays them, and reports
 * where it is. It fetches nothing: its policy allows no connection. read-player.ts strips the types.
 */
type Frame = { type: number; timestamp: number; data: unknown }
type Replayer = {
  iframe: HTMLIFrameElement
  wrapper: HTMLElement
  play(at: number): void
  pause(at?: number): void
  addEvent(event: Frame): void
  setConfig(config: { speed?: number; skipInactive?: boolean }): void
  getCurrentTime(): number
  applyIncremental(event: Frame, isSync: boolean): void
  getMirror(): { getNode(id: number): Node | null }
  on(event: string, handle: (payload: { width: number; height: number }) => void): void
}
declare const rrwebReplay: { Replayer: new (events: Frame[], config: object) => Replayer }

/** What the page around it asks for. `at` is in milliseconds since the start of the replay. */
type Request =
  | { kind: 'load'; base: number; frames: Frame[]; at: number }
  | { kind: 'add'; frames: Frame[] }
  | { kind: 'seek'; at: number; isPlaying: boolean }
  | { kind: 'speed'; speed: number }
  | { kind: 'skip'; isOn: boolean }
  | { kind: 'outline'; nodeId: number }

const [fullSnapshot, meta] = [2, 4]
const reportMs = 100

const stage = document.querySelector('body > div') as HTMLElement
const outline = document.querySelector('i') as HTMLElement
const page = window.parent
let replayer: Replayer | null = null
let size = { width: 0, height: 0 }
let isPlaying = false
let settings: { speed: number; skipInactive: boolean } = { speed: 1, skipInactive: true }

const report = (message: object): void => page.postMessage({ from: 'hydrant-player', ...message }, location.origin)

addEventListener('message', ({ origin, source, data }: MessageEvent<Request>) => {
  if (origin !== location.origin || source !== page) return
  try {
    take(data)
  } catch (error) {
    report({ kind: 'failed', message: String(error).slice(0, 300) })
  }
})
addEventListener('resize', scaleToFit)
setInterval(reportTime, reportMs)
report({ kind: 'ready' })

function take(request: Request): void {
  if (request.kind === 'load') load(request)
  else if (request.kind === 'speed') set({ speed: request.speed })
  else if (request.kind === 'skip') set({ skipInactive: request.isOn })
  else if (replayer === null) return
  else if (request.kind === 'add') for (const frame of request.frames) replayer.addEvent(frame)
  else if (request.kind === 'seek') seek(replayer, request)
  else draw(replayer.getMirror().getNode(request.nodeId))
}

/** Without the first snapshot at the very start, the picture would be white until it comes. */
function load({ base, frames, at }: Extract<Request, { kind: 'load' }>): void {
  const first = frames.findIndex(({ type }) => type === fullSnapshot)
  const viewport = frames.find(({ type }) => type === meta)
  const snapshot = frames[first]
  if (snapshot === undefined || viewport === undefined) throw new Error('The recording has no picture of the page.')
  const start = [viewport, snapshot].map(frame => ({ ...frame, timestamp: base }))
  // A second copy of the first size would make rrweb forget the snapshot before it.
  const rest = frames.filter((frame, index) => frame.timestamp >= base && index > first)
  replayer?.wrapper.remove()
  replayer = new rrwebReplay.Replayer([...start, ...rest], {
    root: stage,
    ...settings,
    blockClass: 'sentry-block',
    inactivePeriodThreshold: 5_000,
    showWarning: false,
    mouseTail: false,
    triggerFocus: false,
    UNSAFE_replayCanvas: false,
  })
  replayer.iframe.title = 'Picture of the recorded page'
  tolerate(replayer)
  replayer.on('resize', next => {
    resize(next)
    scaleToFit()
  })
  replayer.on('finish', () => {
    isPlaying = false
    report({ kind: 'ended' })
  })
  replayer.on('skip-start', () => report({ kind: 'skipping', isOn: true }))
  replayer.on('skip-end', () => report({ kind: 'skipping', isOn: false }))
  // rrweb builds the first page a moment later: only then is there a picture.
  replayer.on('fullsnapshot-rebuilded', () => report({ kind: 'built' }))
  replayer.pause(at)
}

/** One event that does not fit must not stop the others: segments get lost, and senders may be hostile. */
function tolerate(player: Replayer): void {
  const apply = player.applyIncremental.bind(player)
  player.applyIncremental = (event, isSync) => {
    try {
      apply(event, isSync)
    } catch {
      report({ kind: 'skipped' })
    }
  }
}

function resize(next: { width: number; height: number }): void {
  size = next
  report({ kind: 'size', ...next })
}

function seek(player: Replayer, { at, isPlaying: plays }: Extract<Request, { kind: 'seek' }>): void {
  isPlaying = plays
  draw(null)
  if (plays) player.play(at)
  else player.pause(at)
}

function set(change: Partial<typeof settings>): void {
  settings = { ...settings, ...change }
  replayer?.setConfig(change)
}

function reportTime(): void {
  if (replayer !== null && isPlaying) report({ kind: 'time', at: replayer.getCurrentTime() })
}

/** The recorded page in the middle, as large as there is room for. */
function scaleToFit(): void {
  if (replayer === null || size.width === 0) return
  const scale = Math.min(innerWidth / size.width, innerHeight / size.height)
  const left = (innerWidth - size.width * scale) / 2
  stage.style.transform = `translate(${left}px, 0) scale(${scale})`
  stage.style.width = `${size.width}px`
}

/** Outlines what was clicked. */
function draw(node: Node | null): void {
  const frame = replayer?.iframe.contentDocument?.defaultView
  const isElement = node !== null && frame && node.nodeType === 1 && node.isConnected
  outline.hidden = !isElement
  if (!isElement) return
  const { left, top, width, height } = (node as Element).getBoundingClientRect()
  Object.assign(outline.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
}

export {}
