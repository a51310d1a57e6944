/** As an address or a header writes it: 32 hex digits, with or without hyphens. Null where it is nothing of the kind. */
export function readTraceId(text: string): string | null {
  const digits = text.replaceAll('-', '').toLowerCase()
  return /^(?!0{32})[0-9a-f]{32}$/.test(digits) ? digits : null
}

/** As ClickHouse reads a UUID. */
export const asUuid = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** 16 digits of a span's id: `hex` alone leaves out leading zeros. */
export const spanIdSql = (column: string): string => `if(${column} = 0, '', leftPad(lower(hex(${column})), 16, '0'))`
