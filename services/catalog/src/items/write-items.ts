import { AppError, texts } from '@partsbus/contracts/errors'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Decision, Fields, ItemDocument } from './item-document.js'
import { type Change, ID_INDEX, type ItemStore, type Refused, SLUG_INDEX } from './item-store.js'

/** What became of one item of a batch. */
export interface Written {
  id: number
  created: boolean
  /** names of the fields that changed; empty for a created item */
  changed: string[]
}

export interface BatchWork<Doc extends ItemDocument> {
  /** id of the batch */
  batch: string
  /** distinct keys in the order sent */
  keys: readonly string[]
  /** pure: what the rules make of a key, given what is stored */
  decide(key: string, stored: Doc | undefined): Decision<Doc>
  /** called once, before the first write, with what is about to be written */
  beforeWrite(planned: Map<string, Pick<Written, 'created' | 'changed'>>): Promise<void>
  /** takes `count` integer ids, for work that creates; gives the first */
  takeIds?(count: number): Promise<number>
  /** finds other slugs for these keys, before they are decided again, for work that writes slugs */
  refuseSlugs?(keys: string[]): Promise<void>
}

interface Plan<Doc extends ItemDocument> {
  creates: Array<{ key: string; fields: Fields<Doc> }>
  updates: Change<Doc>[]
}

const MAX_ROUNDS = 200

/*
 * Plan, then compare and set: known → planned → written; what somebody else wrote in between is read and planned
 * again. An item that carries this batch's id is never written twice by it.
 */

/**
 * Writes a batch.
 * @param known the stored documents of the keys, as just read
 * @returns what was written, by key; items that stay the same, or are missing, are not in it
 * @throws AppError OVERLOADED when others change the same items faster than this batch can
 */
export async function writeItems<Doc extends ItemDocument>(
  store: ItemStore<Doc>,
  known: Map<string, Doc>,
  work: BatchWork<Doc>,
): Promise<Map<string, Written>> {
  const progress: Progress = { written: new Map(), ids: new Map() }
  let endTurn: (() => void) | undefined
  try {
    let open = work.keys
    let stored = known
    for (let round = 1; open.length > 0; round += 1) {
      if (round > MAX_ROUNDS) throw new AppError('OVERLOADED', texts.unavailable)
      const plan = decideAll(open, stored, work)
      if (plan.creates.length + plan.updates.length === 0) break
      await Promise.all([giveIds(plan, progress.ids, work), round === 1 ? work.beforeWrite(summary(plan)) : undefined])
      const left = await writePlan(store, plan, work.batch, progress)
      if (left.keys.length === 0) break
      // an id that is taken would be refused for ever: the counter was lost, or restored from a copy
      for (const key of left.ids) progress.ids.delete(key)
      if (left.slugs.length > 0) await work.refuseSlugs?.(left.slugs)
      if (left.slugs.length < left.keys.length) {
        // many batches after one item would mostly spoil each other's work: within a process they go one by one
        if (endTurn) await sleep(Math.random() * Math.min(50, 2 ** round))
        else endTurn = await store.takeTurn()
      }
      stored = await store.findByErpIds(left.keys)
      open = withoutOurs(left.keys, stored, plan, work.batch, progress)
    }
    return progress.written
  } finally {
    endTurn?.()
  }
}

interface Progress {
  written: Map<string, Written>
  /** ids given to new items, by key */
  ids: Map<string, number>
}

/** A write whose answer was partial or lost may have been made: the batch's id in the item tells. @returns the keys still to be written */
function withoutOurs<Doc extends ItemDocument>(
  keys: string[],
  stored: Map<string, Doc>,
  plan: Plan<Doc>,
  batch: string,
  { written, ids }: Progress,
): string[] {
  const changed = new Map(plan.updates.map((update) => [update.stored._id, Object.keys(update.changes)]))
  return keys.filter((key) => {
    const doc = stored.get(key)
    if (!doc?.batches.includes(batch)) return true
    written.set(key, { id: doc.id, created: ids.get(key) === doc.id, changed: changed.get(key) ?? [] })
    return false
  })
}

function decideAll<Doc extends ItemDocument>(
  keys: readonly string[],
  stored: Map<string, Doc>,
  work: BatchWork<Doc>,
): Plan<Doc> {
  const plan: Plan<Doc> = { creates: [], updates: [] }
  for (const key of keys) {
    const known = stored.get(key)
    const decision = work.decide(key, known)
    if (decision.kind === 'create') plan.creates.push({ key, fields: decision.fields })
    else if (decision.kind === 'change' && known)
      plan.updates.push({ stored: known, changes: decision.changes as Partial<Doc> })
  }
  return plan
}

function summary<Doc extends ItemDocument>(plan: Plan<Doc>): Map<string, Pick<Written, 'created' | 'changed'>> {
  const all = new Map<string, Pick<Written, 'created' | 'changed'>>()
  for (const { key } of plan.creates) all.set(key, { created: true, changed: [] })
  for (const { stored, changes } of plan.updates) all.set(stored._id, { created: false, changed: Object.keys(changes) })
  return all
}

async function giveIds<Doc extends ItemDocument>(
  plan: Plan<Doc>,
  ids: Map<string, number>,
  work: BatchWork<Doc>,
): Promise<void> {
  const without = plan.creates.filter(({ key }) => !ids.has(key))
  if (without.length === 0 || !work.takeIds) return
  const first = await work.takeIds(without.length)
  for (const [at, { key }] of without.entries()) ids.set(key, first + at)
}

async function writePlan<Doc extends ItemDocument>(
  store: ItemStore<Doc>,
  plan: Plan<Doc>,
  batch: string,
  { written, ids }: Progress,
): Promise<{ keys: string[]; slugs: string[]; ids: string[] }> {
  const now = new Date()
  const docs = plan.creates.map(({ key, fields }) => newDocument<Doc>(key, ids.get(key) ?? 0, fields, batch, now))
  const [refusedCreates, updated] = await Promise.all([
    docs.length > 0 ? store.insert(docs) : [],
    plan.updates.length > 0 ? store.update(plan.updates, batch, now) : { all: true, refused: [] },
  ])
  for (const { key } of plan.creates) written.set(key, { id: ids.get(key) ?? 0, created: true, changed: [] })
  for (const { key } of refusedCreates) written.delete(key)
  if (updated.all)
    for (const { stored, changes } of plan.updates)
      written.set(stored._id, { id: stored.id, created: false, changed: Object.keys(changes) })
  const unsure = updated.all ? [] : plan.updates.map(({ stored }) => stored._id)
  const refused = [...refusedCreates, ...updated.refused]
  return {
    keys: [...refusedCreates.map(({ key }) => key), ...unsure],
    slugs: keysRefusedBy(SLUG_INDEX, refused),
    ids: keysRefusedBy(ID_INDEX, refused),
  }
}

function keysRefusedBy(index: string, refused: readonly Refused[]): string[] {
  return refused.filter((one) => one.index === index).map(({ key }) => key)
}

function newDocument<Doc extends ItemDocument>(
  key: string,
  id: number,
  fields: Fields<Doc>,
  batch: string,
  now: Date,
): Doc {
  return {
    _id: key,
    id,
    ...fields,
    media: [],
    media_rev: 0,
    rev: 1,
    batches: [batch],
    created_at: now,
    updated_at: now,
  } as unknown as Doc
}
