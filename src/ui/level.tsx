/** Each level has its own shape, so that it doesn't depend on color. */
const shapes = {
  fatal: <path d="M6 .8 11.2 6 6 11.2.8 6z" fill="currentColor" />,
  error: <circle cx="6" cy="6" r="4.3" fill="currentColor" />,
  warning: <path d="M6 1.3 11.2 10.5H.8z" fill="currentColor" />,
  info: <circle cx="6" cy="6" r="3.5" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  ok: (
    <path
      d="m1.8 6.5 2.8 2.8 5.6-6"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  debug: <circle cx="6" cy="6" r="2.4" fill="currentColor" />,
} as const

type LevelName = keyof typeof shapes

/** Those of log lines. */
const otherNames: Readonly<Record<string, LevelName>> = { log: 'info', warn: 'warning', trace: 'debug' }

/** SDKs may send any word. Unknown levels are shown as errors, as Sentry does. */
function known(level: string): LevelName {
  if (Object.hasOwn(shapes, level)) return level as LevelName
  return Object.hasOwn(otherNames, level) ? (otherNames[level] ?? 'error') : 'error'
}

export function Level({ level }: { level: string }) {
  const name = known(level)
  return (
    <svg className={`lv ${name}`} viewBox="0 0 12 12" role="img" aria-label={name}>
      {shapes[name]}
    </svg>
  )
}
