export type Masking = { text: boolean; inputs: boolean; media: boolean }
type Frame = { type: number; timestamp: number }
/** What only the recording knows: files that the page loaded, and its memory. Times are milliseconds since 1970. */
export type Extras = {
  resources: { at: number; kind: string; url: string; ms: number; bytes: number; status: number }[]
  memory: { at: number; used: number; limit: number }[]
}
type Segment = Extras & {
  segment: number
  isReadable: boolean
  cut: number
  masking: Masking | null
  /** Of the recorded site, on its largest page so far, and not loaded. */
  stylesheets: number
  frames: Frame[]
}

/** The segments of a recording as they arrive, a line of JSON each. */
export async function* readRecording(loading: Promise<Response>): AsyncGenerator<Segment, undefined> {
  const response = await loading
  if (!response.ok || response.body === null) throw new Error(`The recording was answered with ${response.status}.`)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) return undefined
    const lines = `${rest}${value}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as Segment
  }
}
