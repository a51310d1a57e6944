import { CrumbLines } from '#ui/event/crumb-lines.tsx'
import { CrumbList } from '#ui/event/crumb-list.tsx'
import { FieldGroup, NoteList, ReactError, WhyGrouped } from '#ui/event/event-details.tsx'
import type { CrumbKind, CrumbView, ExceptionView, FrameView, GroupView } from '#ui/event/event-view.ts'
import { BareStacks, ExceptionChain } from '#ui/event/exception-chain.tsx'
import { StackFrame } from '#ui/event/stack-frame.tsx'
import { StackTrace } from '#ui/event/stack-trace.tsx'
import { colorCode } from '#ui/snippets/color-code.ts'
import { Opened } from '../forced.tsx'
import { exhibit, type Room } from '../states.tsx'
import { longName, longText, oddText } from './words.ts'

const source = ['export function total(cart: Cart) {', "  const { currency } = cart.price // 'EUR'", '  return 1', '}']

const frame = (change: Partial<FrameView> = {}): FrameView => ({
  name: 'total',
  path: 'src/checkout/cart.ts',
  line: 41,
  column: 17,
  isInApp: true,
  source: source.map((text, at) => ({ number: at + 40, text, isHere: at === 1, tokens: colorCode(text) })),
  vars: [],
  advice: null,
  ...change,
})
const library = frame({ name: 'renderWithHooks', path: 'node_modules/react-dom/index.js', isInApp: false, source: [] })
const minified = frame({
  name: 't',
  path: '/_next/static/chunks/5f3a.js',
  source: [],
  advice: 'No source map was uploaded for this release. Upload them with the build.',
})
const vars = [
  { name: 'cart', value: '{ items: [] }' },
  { name: longName, value: longText },
]
const longFrame = frame({ name: longName, path: `/${longName}/${longName}.tsx`, vars })

const exception = (change: Partial<ExceptionView> = {}): ExceptionView => ({
  type: 'TypeError',
  message: 'Cannot read properties of undefined (reading ‘currency’)',
  mechanism: 'onerror',
  isHandled: false,
  isGroup: false,
  frames: [frame(), library, library, frame({ name: 'Checkout', line: 12 })],
  rawFrames: [minified, library],
  hiddenFrames: 0,
  ...change,
})
const cause = exception({ type: 'FetchError', message: 'The request ended with 502', mechanism: '', isHandled: true })

const kinds: CrumbKind[] = ['navigation', 'network', 'console', 'interaction', 'error', 'other']
const crumb = (number: number, change: Partial<CrumbView> = {}): CrumbView => ({
  number,
  offsetMs: -40_000 + number * 900,
  kind: kinds[number % kinds.length] ?? 'other',
  category: ['navigation', 'fetch', 'console', 'ui.click', 'exception', 'custom'][number % 6] ?? '',
  message: ['/cart → /checkout', 'GET /api/cart', 'slow render', 'button.pay', 'TypeError', 'a note'][number % 6] ?? '',
  result: number % 6 === 1 ? '502' : '',
  level: ['info', 'info', 'warning', 'info', 'error', 'debug'][number % 6] ?? 'info',
  isBad: number % 6 === 4,
  ...change,
})
const crumbs = (count: number): CrumbView[] => Array.from({ length: count }, (_, at) => crumb(at + 1))
const oddCrumb = crumb(1, { offsetMs: null, category: longName, message: longText, result: oddText })

const group = (change: Partial<GroupView> = {}): GroupView => ({
  title: 'Browser',
  fields: [
    { name: 'name', value: 'Chrome' },
    { name: 'version', value: '156.0.1' },
  ],
  hidden: 0,
  ...change,
})
const notes = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    path: `extra.field-${at}`,
    kind: ['scrubbed', 'trimmed', 'clamped', 'invalid', 'depth'][at % 5] ?? '',
    detail: 'password',
  }))

const explained = {
  code: 418,
  entry: {
    code: 418,
    name: 'hydration failed',
    means: 'The HTML of the server differs from what the browser rendered first.',
    cause: 'A value that depends on the time, the locale or the browser.',
    next: 'Look at the two versions below.',
  },
  args: [{ label: 'Kind', value: 'text' }],
  isTruncated: false,
  address: 'https://react.dev/errors/418',
}

const why = {
  version: 3,
  hash: '5f3a9c0d1e2b4a68',
  summary: 'Events with the same type and the same frames of your code are one issue.',
  parts: [
    { label: 'Type', value: 'TypeError' },
    { label: 'Frame', value: 'total in src/checkout/cart.ts' },
  ],
  ignored: [{ what: 'renderWithHooks', why: 'a framework frame' }],
}

export const event: Room = {
  folder: 'ui/event',
  exhibits: [
    exhibit('StackFrame', StackFrame, {
      closed: <StackFrame frame={frame()} isOpen={false} />,
      open: <StackFrame frame={frame({ vars: vars.slice(0, 1) })} isOpen />,
      'with a link to it': <StackFrame frame={frame()} isOpen={false} id="frame-1-0" />,
      'of a library': <StackFrame frame={library} isOpen={false} />,
      minified: <StackFrame frame={minified} isOpen={false} />,
      'minified for the same reason': <StackFrame frame={minified} isOpen={false} sameAs="#frame-1-0" />,
      'without a position': <StackFrame frame={frame({ line: null, column: null, source: [] })} isOpen={false} />,
      'without colors': (
        <StackFrame
          isOpen
          frame={frame({ source: source.map((text, at) => ({ number: at, text, isHere: at === 1, tokens: null })) })}
        />
      ),
      long: <StackFrame frame={longFrame} isOpen />,
    }),
    exhibit('StackTrace', StackTrace, {
      empty: <StackTrace frames={[]} isOpen />,
      one: <StackTrace frames={[frame()]} isOpen />,
      'many, folded': <StackTrace frames={[frame(), library, library, library, frame({ line: 12 })]} isOpen />,
      'many, not folded': <StackTrace frames={[frame(), library, library]} isOpen isFolded={false} />,
      'minified, advice once': <StackTrace frames={[minified, minified]} isOpen prefix="frame-advice" />,
    }),
    exhibit('ExceptionChain', ExceptionChain, {
      none: <ExceptionChain exceptions={[]} />,
      one: <ExceptionChain exceptions={[exception()]} />,
      'a cause': <ExceptionChain exceptions={[exception({ frames: [frame()] }), cause]} />,
      'without a stack': <ExceptionChain exceptions={[exception({ frames: [] })]} />,
      raw: <ExceptionChain exceptions={[exception()]} mode="raw" />,
      'with hidden frames': <ExceptionChain exceptions={[exception({ frames: [frame()], hiddenFrames: 1_204 })]} />,
      long: <ExceptionChain exceptions={[exception({ type: longName, message: longText, frames: [longFrame] })]} />,
    }),
    exhibit('BareStacks', BareStacks, {
      none: <BareStacks stacks={[]} />,
      'of a message': <BareStacks stacks={[exception({ type: 'Stack of the message', message: '' })]} />,
      'of threads': (
        <BareStacks
          stacks={[
            exception({ type: 'Thread main', message: 'crashed' }),
            exception({ type: 'Thread 7', message: '', hiddenFrames: 1_204 }),
          ]}
        />
      ),
      raw: <BareStacks stacks={[exception({ type: 'Thread main', message: 'crashed' })]} mode="raw" />,
      long: <BareStacks stacks={[exception({ type: longName, message: '', frames: [longFrame] })]} />,
    }),
    exhibit('CrumbLines', CrumbLines, {
      empty: <CrumbLines crumbs={[]} />,
      one: <CrumbLines crumbs={crumbs(1)} />,
      many: <CrumbLines crumbs={crumbs(12)} isLinked />,
      long: <CrumbLines crumbs={[oddCrumb]} />,
    }),
    exhibit('CrumbList', CrumbList, {
      few: <CrumbList crumbs={crumbs(7)} />,
      'so many that older ones are folded': <CrumbList crumbs={crumbs(60)} />,
      long: <CrumbList crumbs={[oddCrumb]} />,
    }),
    exhibit('FieldGroup', FieldGroup, {
      closed: <FieldGroup group={group()} />,
      open: <FieldGroup group={group()} isOpen />,
      empty: <FieldGroup group={group({ fields: [] })} isOpen />,
      'with hidden fields': <FieldGroup group={group({ hidden: 1_204 })} isOpen />,
      long: <FieldGroup group={group({ title: longName, fields: [{ name: longName, value: longText }] })} isOpen />,
    }),
    exhibit('NoteList', NoteList, {
      none: <NoteList notes={[]} dropped={0} />,
      one: <NoteList notes={notes(1)} dropped={0} />,
      'many, open': (
        <Opened>
          <NoteList notes={notes(120)} dropped={30} />
        </Opened>
      ),
    }),
    exhibit('ReactError', ReactError, {
      explained: <ReactError explanation={explained} />,
      unknown: <ReactError explanation={{ ...explained, code: 999, entry: null, args: [], isTruncated: true }} />,
      long: <ReactError explanation={{ ...explained, args: [{ label: 'Kind', value: longText }] }} />,
    }),
    exhibit('WhyGrouped', WhyGrouped, {
      closed: <WhyGrouped why={why} />,
      open: (
        <Opened>
          <WhyGrouped why={why} />
        </Opened>
      ),
      'long, open': (
        <Opened>
          <WhyGrouped why={{ ...why, summary: longText, parts: [{ label: longName, value: longText }] }} />
        </Opened>
      ),
    }),
  ],
}
