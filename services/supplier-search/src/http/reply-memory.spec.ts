import { expect, it } from '@jest/globals'
import { HeldByQuery, HeldReplies, NoRoom, ReplyMemory, SupplierMemory, weigh } from './reply-memory.js'

const MIB = 1024 * 1024

it('drops what exceeds the limit of one query, and has room again for what was dropped', () => {
  const held = new HeldReplies(new SupplierMemory(new ReplyMemory()))
  held.add(2 * MIB)
  held.add(2 * MIB)
  expect(() => held.add(1)).toThrow(NoRoom)
  expect(held.isFull).toBe(true)
  held.drop(MIB)
  held.add(MIB)
})

it('leaves room for other suppliers when one has used its share', () => {
  const all = new ReplyMemory(4 * MIB)
  const [large, small] = [new SupplierMemory(all, 3 * MIB), new SupplierMemory(all, 3 * MIB)]
  new HeldReplies(large).add(3 * MIB)
  expect(() => new HeldReplies(large).add(1)).toThrow(NoRoom)
  new HeldReplies(small).add(MIB)
  expect(() => new HeldReplies(small).add(1)).toThrow(NoRoom)
})

it('holds the rows until the last caller of a query has released them', () => {
  const supplier = new SupplierMemory(new ReplyMemory(), 1_000)
  const replies = new HeldReplies(supplier)
  replies.add(1_000)
  replies.replaceBy(900)
  const [one, other] = [new HeldByQuery(), new HeldByQuery()]
  one.retain(replies)
  other.retain(replies)
  replies.release()
  one.release()
  one.release()
  expect(supplier.hasRoomFor(101)).toBe(false)
  other.release()
  expect(supplier.hasRoomFor(1_000)).toBe(true)
})

it('weighs rows by their texts', () => {
  expect(weigh([{ brand: 'A', article: 'B', name: 'x'.repeat(98) }])).toBe(500)
})
