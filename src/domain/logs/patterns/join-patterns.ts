/**
 * Joins patterns that differ in a word or two, as Drain does (He et al. 2017): those with as many words and the same first ones are
 * compared, and joined if at least two of five words are equal; what differs becomes a value.
 */
import { placeholder } from '../line-pattern.ts'

type Cluster<Item> = { words: string[]; items: Item[] }

const firstWords = 2
const leastEqual = 0.4
/** A shorter line has too few words to tell whether they mean the same. */
const leastWords = 4

/** `textOf` gives the masked message. The patterns that come first keep their clusters: give the most frequent first. */
export function joinPatterns<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): { text: string; items: Item[] }[] {
  const leaves = new Map<string, Cluster<Item>[]>()
  const clusters: Cluster<Item>[] = []
  for (const item of items) {
    const words = textOf(item).split(' ')
    const leaf = leafOf(words)
    const candidates = leaves.get(leaf) ?? []
    const best = words.length < leastWords ? undefined : findBest(candidates, words)
    if (best) {
      best.words = best.words.map((word, index) => (word === words[index] ? word : placeholder))
      best.items.push(item)
      continue
    }
    const cluster = { words, items: [item] }
    clusters.push(cluster)
    leaves.set(leaf, [...candidates, cluster])
  }
  return clusters.map(({ words, items: own }) => ({ text: words.join(' '), items: own }))
}

/** A word with a value leads to the same leaf, whatever is around it. */
const leafOf = (words: readonly string[]): string =>
  [words.length, ...words.slice(0, firstWords).map(word => (word.includes(placeholder) ? placeholder : word))].join(' ')

function findBest<Item>(clusters: readonly Cluster<Item>[], words: readonly string[]): Cluster<Item> | undefined {
  let best: Cluster<Item> | undefined
  let most = leastEqual
  for (const cluster of clusters) {
    const equal = cluster.words.filter((word, index) => word === words[index] && word !== placeholder).length
    const share = equal / words.length
    if (share > most || (share === most && best === undefined)) {
      best = cluster
      most = share
    }
  }
  return best
}
