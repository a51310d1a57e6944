import { expect, test } from 'vitest'
import { failureKinds } from '#lib/failure-reference.ts'
import { explainFailure } from './explain-failure.ts'

test('a failed panel says whether it was refused, took too long or failed', () => {
  const sentences = Object.values(failureKinds).map(prefix => explainFailure(`${prefix}1a2b3c4d`))
  expect(sentences.map(text => /too many searches|took too long|query failed/.exec(text)?.[0])).toEqual([
    'too many searches',
    'took too long',
    'query failed',
  ])
})
