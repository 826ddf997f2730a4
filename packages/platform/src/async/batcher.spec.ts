import { expect, it } from '@jest/globals'
import { currentScope, runInScope } from '../bus/call-scope.js'
import { Batcher } from './batcher.js'

it('writes values of several requests together, in the scope of none of them', async () => {
  const batches: unknown[] = []
  const batcher = new Batcher<string>('test', async (values) => {
    batches.push([currentScope(), values])
  })
  await Promise.all(['a', 'b'].map((requestId) => runInScope({ requestId }, () => batcher.add(requestId))))
  expect(batches).toEqual([[undefined, ['a', 'b']]])
})

it('fails every value of a batch that is not written', async () => {
  const batcher = new Batcher<string>('test', () => Promise.reject(new Error('away')))
  const outcomes = await Promise.allSettled(['a', 'b'].map((value) => batcher.add(value)))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
