/** The URL of the issue before or after this one in the list on the page. */
export function neighborInList(href: string, by: 1 | -1): string | null {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>('.ilist a[href*="/issues/"]')].map(
    row => row.getAttribute('href') ?? '',
  )
  const pathOf = (address: string) => address.split('?')[0]
  const distinct = rows.filter((row, index) => rows.findIndex(other => pathOf(other) === pathOf(row)) === index)
  const here = distinct.findIndex(row => pathOf(row) === href)
  return here < 0 ? null : (distinct[here + by] ?? null)
}
