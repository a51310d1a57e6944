import { formatWhole } from '#lib/format-whole.ts'
import { ScrollRegion } from '../page-parts.tsx'
import { shorten } from '../shorten.ts'
import type { ExceptionView, FrameView } from './event-view.ts'
import { StackTrace } from './stack-trace.tsx'

const maxMessage = 2_000

export type StackMode = 'app' | 'all' | 'raw'

/** Outermost exception first, root cause last with its stack open. Members of an AggregateError are not causes of each other. */
export function ExceptionChain({ exceptions, mode = 'app' }: { exceptions: ExceptionView[]; mode?: StackMode }) {
  const hasRootCause = exceptions.length > 1 && !exceptions.some(({ isGroup }) => isGroup)
  return (
    <div className="chain">
      {exceptions.map((exception, index) => {
        const isRoot = index === exceptions.length - 1
        return (
          <div key={index} className={isRoot ? 'exc root' : 'exc'}>
            <span className="rail-dot" />
            <div className="body">
              <div className="et">
                <b>{shorten(exception.type || 'Error', 200)}</b>
                <span className="msg-text">{shorten(exception.message, maxMessage)}</span>
              </div>
              <p className="em">{origin(exception, isRoot && hasRootCause)}</p>
              <Stack exception={exception} index={index} isRoot={isRoot} mode={mode} />
              <HiddenFrames count={exception.hiddenFrames} />
            </div>
          </div>
        )
      })}
    </div>
  )
}

/** Stacks without an error, of a message or of threads: they don't cause each other. The first is open. */
export function BareStacks({ stacks, mode = 'app' }: { stacks: ExceptionView[]; mode?: StackMode }) {
  return (
    <div className="bare-stacks">
      {stacks.map((stack, index) => (
        <section key={index}>
          <h3>
            {shorten(stack.type, 200)} <span className="t3">{stack.message}</span>
          </h3>
          <Stack exception={stack} index={index} isRoot={index === 0} mode={mode} />
          <HiddenFrames count={stack.hiddenFrames} />
        </section>
      ))}
    </div>
  )
}

const HiddenFrames = ({ count }: { count: number }) =>
  count > 0 ? <p className="t3">{formatWhole(count)} older frames are in the JSON download.</p> : null

type StackProps = { exception: ExceptionView; index: number; isRoot: boolean; mode: StackMode }

function Stack({ exception, index, isRoot, mode }: StackProps) {
  if (exception.frames.length === 0) return null
  if (mode === 'raw') return <RawStack exception={exception} />
  return (
    <StackTrace frames={exception.frames} isOpen={isRoot} isFolded={mode === 'app'} prefix={`frame-${index + 1}`} />
  )
}

function origin({ mechanism, isHandled, frames }: ExceptionView, isRootCause: boolean): string {
  const parts = [
    isRootCause ? 'root cause' : '',
    isHandled === null ? '' : isHandled ? 'handled' : 'unhandled',
    mechanism && `caught by ${shorten(mechanism, 100)}`,
    frames.length === 0 ? 'no stack trace' : '',
  ]
  return parts.filter(Boolean).join(' · ')
}

/** The stack as the SDK sent it, without source maps and folding. */
function RawStack({ exception }: { exception: ExceptionView }) {
  return (
    <ScrollRegion className="stack rawstack" label="Raw stack trace">
      <pre>{formatStack(exception.type, exception.message, exception.rawFrames)}</pre>
    </ScrollRegion>
  )
}

const maxFrames = 50 // the JSON download has all of them

/** One exception in the format of JavaScript engines. */
function formatStack(type: string, message: string, frames: FrameView[]): string {
  const more = frames.length - maxFrames
  return [
    `${shorten(type || 'Error', 200)}: ${shorten(message, 2_000)}`,
    ...frames.slice(0, maxFrames).map(frame => `    at ${shorten(frame.name, 200)} (${formatPosition(frame)})`),
    ...(more > 0 ? [`    … ${more} more`] : []),
  ].join('\n')
}

/** The whole chain in Node's format for causes. */
export function formatChain(exceptions: ExceptionView[]): string {
  return exceptions
    .map(({ type, message, frames }, index) => `${index > 0 ? 'Caused by: ' : ''}${formatStack(type, message, frames)}`)
    .join('\n')
}

function formatPosition({ path, line, column }: FrameView): string {
  return [shorten(path || '<unknown>', 300), line, column].filter(part => part !== null).join(':')
}
