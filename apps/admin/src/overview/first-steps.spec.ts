import { expect, it } from '@jest/globals'
import { firstSteps } from './first-steps.js'
import type { Overview } from './overview-answer.js'

const api = { is_enabled: false, is_ready: false, last_call_at: null, requests: 0, refused: 0, failed: 0 }
const bare = {
  stock: { supplies: 0, storages: 0, pick_up_points: 0, last_update_at: null },
  imports: {
    pending: 0,
    processing: 0,
    oldest_pending_at: null,
    day: { completed: 0, failed: 0, rows: 0, imported: 0, skipped: 0 },
    last: [],
  },
  apis: { erp: api, b2b: api },
} as unknown as Overview
const done = (overview: Overview) =>
  firstSteps(overview, undefined, 'owner').flatMap(({ step, isDone }) => (isDone ? [step] : []))

it('has nothing done in a new product', () => {
  expect(firstSteps(bare, undefined, 'owner')).toHaveLength(5)
  expect(done(bare)).toEqual([])
  // whose storage is made with it
  expect(
    firstSteps(bare, undefined, 'owner')
      .map(({ step }) => step)
      .slice(0, 2),
  ).toEqual(['list', 'storage'])
})

it('counts an API as open only when it is on and ready', () => {
  expect(
    done({
      ...bare,
      apis: { erp: { ...api, is_enabled: true }, b2b: { ...api, is_enabled: true, is_ready: true } },
    }),
  ).toEqual(['partner'])
})

it('counts the first list from the first import that completed', () => {
  const imports = { ...bare.imports, day: { completed: 1, failed: 0, rows: 9, imported: 9, skipped: 0 } }
  expect(done({ ...bare, imports } as Overview)).toEqual(['list'])
})

it('says nothing while a service is away', () => {
  expect(firstSteps({ ...bare, stock: null }, undefined, 'owner')).toEqual([])
})

it('has only the steps that the person may take', () => {
  expect(firstSteps(bare, undefined, 'manager').map(({ step }) => step)).toEqual(['list', 'point'])
  expect(firstSteps(bare, undefined, 'viewer')).toEqual([])
})
