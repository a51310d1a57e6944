/** An item's type as the label of a metric. A sender may write anything there: long or odd ones are counted together. */
export const itemLabel = (type: string): string => (/^[a-z_]{1,40}$/.test(type) ? type : 'unknown')
