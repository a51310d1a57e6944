/**
 * A whole number from a query parameter, cut to `most`. `usual` where it is missing, not a number, or less than one: tools send what
 * they like, and a list of the usual length serves them better than an error.
 */
export function readCount(text: string | null, { usual, most }: { usual: number; most: number }): number {
  const wanted = Number(text ?? usual)
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, most) : usual
}
