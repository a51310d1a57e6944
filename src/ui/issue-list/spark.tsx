const width = 119
const height = 24

/** Bars without an axis: a shape to recognise, not to read off. One path each for ground, bars and the hot last bar. */
export function Spark({ bars, isHot, label }: { bars: number[]; isHot: boolean; label: string }) {
  const step = (width + 1) / bars.length
  const most = Math.max(1, ...bars)
  const rise = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / most) * (height - 1)))
  const bar = (index: number, tall: number) =>
    `M${round(index * step)} ${height}v${-round(tall)}h${round(step - 1)}v${round(tall)}z`
  const cold = isHot ? bars.slice(0, -1) : bars
  return (
    <svg
      className="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
    >
      <path className="base" d={bars.map((_, index) => bar(index, 1)).join('')} />
      <path d={cold.map((count, index) => (count > 0 ? bar(index, rise(count)) : '')).join('')} />
      {isHot ? <path className="hot" d={bar(bars.length - 1, rise(bars.at(-1) ?? 0))} /> : null}
    </svg>
  )
}

const round = (value: number) => Math.round(value * 10) / 10
