/** 4,812 up to 9,999, then 12.4k and 1.2M: a column of counts stays narrow. */
export function formatCount(count: number): string {
  if (count < 10_000) return count.toLocaleString('en-US')
  if (count < 999_500) return `${short(count / 1_000)}k`
  if (count < 999_500_000) return `${short(count / 1_000_000)}M`
  return `${short(count / 1_000_000_000)}B`
}

const short = (value: number) => (value < 99.95 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value).toString())
