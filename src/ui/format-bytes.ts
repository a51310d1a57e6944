/** 360 B, 4.6 KB, 1.2 MB, 21.5 GB: a space before the unit, thousands as SDKs and browsers count them. */
export function formatBytes(sizeBytes: number): string {
  if (sizeBytes < 1_000) return `${sizeBytes} B`
  if (sizeBytes < 1_000_000) return `${trim(sizeBytes / 1_000)} KB`
  if (sizeBytes < 1_000_000_000) return `${trim(sizeBytes / 1_000_000)} MB`
  return `${trim(sizeBytes / 1_000_000_000)} GB`
}

const trim = (value: number) => (value < 100 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value).toString())
