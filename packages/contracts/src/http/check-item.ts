import { rejection, type RejectedItem } from '../batch.js'
import type { BatchCommand } from '../message.js'
import { DetailCollector } from '../result-details.js'
import { type ErpPath, erpRows, type ErpRows } from './erp.js'

/** Calls whose body is a list of items. */
export type ItemPath = {
  [Path in ErpPath]: ErpRows[Path] extends { command: BatchCommand } ? Path : never
}[ErpPath]

export interface ItemCheck {
  /** why the item would be rejected, in the words of the API; undefined: it is valid */
  rejected: RejectedItem | undefined
  /** fields that Partsbus does not know, and how often the item has each */
  ignored_fields: Record<string, number>
}

/** Compares one item of a batch with the contract, as the API does before it writes it. */
export function checkItem(path: ItemPath, item: unknown): ItemCheck {
  const { command } = erpRows[path]
  const details = new DetailCollector()
  details.countIgnored(command.item, item)
  const { error } = command.item.safeParse(item)
  return {
    rejected: error && rejection(command, item, error.issues, Infinity),
    ignored_fields: details.toReply().ignored_fields,
  }
}
