/**
 * Joins patterns that differ in values which the mask cannot see because they are words: `User Ada logged in` and `User Bob logged in`.
 * A place in which otherwise equal lines have names, or many words, is a value. Lines that differ in what happened stay apart (0118).
 */
import { placeholder } from '../mask-text.ts'
import { countSaying, isFailure, kindOf, unify } from './word-kind.ts'

type Cluster<Item> = { words: readonly string[]; items: readonly Item[] }
/** Whether lines may be one: their words, place by place, and what is left of them. */
type Check = (variants: readonly (readonly string[])[], merged: readonly string[]) => boolean

/** `textOf` gives the masked message. */
export function joinPatterns<Item>(
  items: readonly Item[],
  textOf: (item: Item) => string,
): { text: string; items: Item[] }[] {
  let clusters: Cluster<Item>[] = items.map(item => ({ words: textOf(item).split(' '), items: [item] }))
  clusters = joinAlike(
    clusters,
    words => [...words],
    () => true,
  )
  // The second round compares the clusters of the first.
  for (let round = 0; round < 2; round++) {
    clusters = joinAlike(clusters, valueShape, (_, merged) => countSaying(merged) >= 1)
    clusters = joinAlike(clusters, nameShape, areNames)
    clusters = joinPlaces(clusters)
    clusters = joinReasons(clusters)
  }
  return absorbLonger(joinPlaces(clusters)).map(({ words, items: own }) => ({ text: words.join(' '), items: [...own] }))
}

/** Joins the clusters that have the same shape, a part of which may be several words. */
function joinAlike<Item>(
  clusters: readonly Cluster<Item>[],
  shapeOf: (words: readonly string[]) => string[],
  mayJoin: Check,
): Cluster<Item>[] {
  const groups = new Map<string, Cluster<Item>[]>()
  for (const cluster of clusters) {
    const shape = shapeOf(cluster.words)
      .map(part => part.replace(/^\0.*/s, '\0'))
      .join(' ')
    const group = groups.get(shape)
    if (group) group.push(cluster)
    else groups.set(shape, [cluster])
  }
  return [...groups.values()].flatMap(group => {
    if (group.length === 1) return group
    const rows = group.map(({ words }) => shapeOf(words).map(part => part.replace(/^\0/, '')))
    const variants = transpose(rows)
    const merged = variants.map(unify).join(' ').split(' ')
    return mayJoin(variants, merged) ? [joinTo(merged, group)] : group
  })
}

const joinTo = <Item>(words: readonly string[], group: readonly Cluster<Item>[]): Cluster<Item> => ({
  words,
  items: group.flatMap(({ items }) => items),
})

const transpose = (rows: readonly (readonly string[])[]): string[][] =>
  (rows[0] ?? []).map((_, index) => [...new Set(rows.map(row => row[index] ?? ''))])

/** Parts that may differ begin with a zero character. */
const valueShape = (words: readonly string[]): string[] =>
  words.map((word, index) => (kindOf(word, index) === 'value' ? `\0${word}` : word))

/** Names in a row are one: `São Paulo` stands where `Oslo` does. */
function nameShape(words: readonly string[]): string[] {
  const parts: string[] = []
  for (const [index, word] of words.entries()) {
    const isOpen = word === placeholder || kindOf(word, index) === 'name'
    const last = parts.at(-1)
    if (isOpen && last?.startsWith('\0')) parts[parts.length - 1] = `${last} ${word}`
    else parts.push(isOpen ? `\0${word}` : word)
  }
  return parts
}

/** Two names in a line of two other words may still be two things that happened. */
const areNames: Check = (variants, merged) => {
  const said = countSaying(merged)
  return said >= 3 || (said === 2 && variants.every(each => each.length === 1 || each.length >= 3))
}

/** Longer lines are not compared place by place: the time would grow with the square of their length. */
const maxPlaces = 64

/** Joins clusters that are equal but for one place, if it is one of a value. */
function joinPlaces<Item>(clusters: readonly Cluster<Item>[]): Cluster<Item>[] {
  let all = clusters.filter(({ words }) => words.length <= maxPlaces)
  const longest = Math.max(0, ...all.map(({ words }) => words.length))
  for (let place = 0; place < longest; place++) {
    const shapeOf = (words: readonly string[]) => words.map((word, index) => (index === place ? `\0${word}` : word))
    all = joinAlike(all, shapeOf, (variants, merged) => isValuePlace(variants[place] ?? [], merged, place))
  }
  return [...all, ...clusters.filter(({ words }) => words.length > maxPlaces)]
}

const manyWords = 8

function isValuePlace(found: readonly string[], merged: readonly string[], place: number): boolean {
  const said = countSaying(merged)
  const isMany = found.length >= manyWords
  const fixed = found.filter(word => kindOf(word, place) === 'fixed').length
  if (place === 0 || fixed * 3 > found.length || (fixed > 0 && found.length < 3)) return isMany && said >= 3
  if (found.includes(placeholder)) return said >= 2
  if (found.length === 2) return place >= 2 && said >= 5
  return said >= (place === merged.length - 1 ? 3 : 2)
}

const maxReasonWords = 6

/** `job <*> failed: timeout` and `job <*> failed: no connection`: what follows a failure is its reason. */
function joinReasons<Item>(clusters: readonly Cluster<Item>[]): Cluster<Item>[] {
  const shapeOf = (words: readonly string[]): string[] => {
    const end = words.findIndex((word, index) => word.endsWith(':') && hasReason(words, index))
    return end < 0 ? [...words] : [...words.slice(0, end + 1), `\0${words.slice(end + 1).join(' ')}`]
  }
  return joinAlike(clusters, shapeOf, () => true)
}

function hasReason(words: readonly string[], end: number): boolean {
  const length = words.length - 1 - end
  if (length < 1 || length > maxReasonWords) return false
  const head = words.slice(0, end + 1)
  const said = countSaying(head)
  return said >= 4 || (said >= (head.some(word => word.includes(placeholder)) ? 2 : 3) && head.some(isFailure))
}

const maxValueWords = 4

/** A cluster with a value takes the lines that have several words in its place. */
function absorbLonger<Item>(clusters: readonly Cluster<Item>[]): Cluster<Item>[] {
  const targets = new Map<string, number>()
  const placesOf = new Map<string, Set<number>>()
  for (const [index, { words, items }] of clusters.entries()) {
    if (items.length === 1 || countSaying(words) < 3) continue
    for (const [place, word] of words.entries()) {
      if (place === 0 || place >= maxPlaces || word !== placeholder) continue
      targets.set(around(words, place, 1), index)
      placesOf.set(words[0] ?? '', (placesOf.get(words[0] ?? '') ?? new Set()).add(place))
    }
  }
  const taken = new Map<number, Cluster<Item>[]>()
  const rest = clusters.map((cluster, index) => {
    for (const place of placesOf.get(cluster.words[0] ?? '') ?? [])
      for (let length = 2; length <= maxValueWords; length++) {
        const inside = cluster.words.slice(place, place + length)
        if (inside.some((word, at) => kindOf(word, place + at) === 'fixed')) break
        const target = targets.get(around(cluster.words, place, length))
        if (target === undefined || target === index) continue
        taken.set(target, [...(taken.get(target) ?? []), cluster])
        return null
      }
    return cluster
  })
  return rest.flatMap((cluster, index) =>
    cluster === null ? [] : [joinTo(cluster.words, [cluster, ...(taken.get(index) ?? [])])],
  )
}

const around = (words: readonly string[], place: number, length: number): string =>
  [...words.slice(0, place), '\0', ...words.slice(place + length)].join(' ')
