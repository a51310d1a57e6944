const sides = {
  browser: { lit: [true, false, false], word: 'browser' },
  edge: { lit: [false, true, false], word: 'edge' },
  server: { lit: [false, false, true], word: 'server' },
  both: { lit: [true, false, true], word: 'server and browser' },
} as const

/** Browser, edge and server as three dots, with the side that reported highlighted. Nothing for an unknown side. */
export function Wire({ side, hasWord = false }: { side: string; hasWord?: boolean }) {
  if (!Object.hasOwn(sides, side)) return null
  const { lit, word } = sides[side as keyof typeof sides]
  return (
    <span className="wire">
      <svg viewBox="0 0 19 7" role="img" aria-label={word} aria-hidden={hasWord}>
        {lit.map((isOn, index) => (
          <rect
            key={index}
            className={isOn ? 'on' : undefined}
            x={index * 6.5}
            y={isOn ? 0.5 : 2.5}
            width="6"
            height={isOn ? 6 : 2}
            rx="1"
          />
        ))}
      </svg>
      {hasWord ? word : null}
    </span>
  )
}
