import { AppError } from '@partsbus/contracts/app-error'
import type { BrandRow } from '../search/offer.js'

const MIB = 1024 * 1024
/** Bytes of replies that all queries of a process hold, from the first byte until the query is answered. */
const ALL_BYTES = 64 * MIB
/** At most for one supplier, so that one with large replies leaves room for the others. */
const SUPPLIER_BYTES = ALL_BYTES / 4
/** At most for one query to one supplier, whatever the number of its requests; above the limit of a single reply. */
const QUERY_BYTES = 4 * MIB
/** Bytes of a row besides its texts: the objects of its fields and of its keys. */
const ROW_BYTES = 300

/** A reply was dropped to bound memory, which says nothing about the health of its supplier. */
export class NoRoom extends AppError {
  constructor(message: string) {
    super('UNAVAILABLE', message)
  }
}

/** Limits the bytes that replies of suppliers hold in memory. Without room a reply is dropped: nothing waits. */
export class ReplyMemory {
  private held = 0

  constructor(private readonly total = ALL_BYTES) {}

  hasRoomFor(bytes: number): boolean {
    return this.held + bytes <= this.total
  }

  add(bytes: number): void {
    this.held += bytes
  }
}

/** The bytes that one supplier's replies hold, of all queries. */
export class SupplierMemory {
  private held = 0

  constructor(
    private readonly all: ReplyMemory,
    private readonly total = SUPPLIER_BYTES,
  ) {}

  hasRoomFor(bytes: number): boolean {
    return this.held + bytes <= this.total && this.all.hasRoomFor(bytes)
  }

  add(bytes: number): void {
    this.held += bytes
    this.all.add(bytes)
  }
}

/** What one query to one supplier holds: the bytes of its replies, then the rows, until its last caller releases it. */
export class HeldReplies {
  /** Some replies were dropped. */
  isFull = false
  private held = 0
  private holders = 1

  constructor(private readonly supplier: SupplierMemory) {}

  /** @throws NoRoom */
  add(bytes: number): void {
    if (this.held + bytes > QUERY_BYTES) {
      this.isFull = true
      throw new NoRoom(`The answers to one query are larger than ${QUERY_BYTES / MIB} MB.`)
    }
    if (!this.supplier.hasRoomFor(bytes)) {
      this.isFull = true
      throw new NoRoom('Too many large answers of suppliers are in memory.')
    }
    this.change(bytes)
  }

  /** A reply that did not arrive as a whole is dropped. */
  drop(bytes: number): void {
    this.change(-bytes)
  }

  /** The replies were read into rows, which take this much. */
  replaceBy(bytes: number): void {
    this.change(bytes - this.held)
  }

  retain(): void {
    this.holders += 1
  }

  release(): void {
    this.holders -= 1
    if (this.holders === 0) this.replaceBy(0)
  }

  private change(bytes: number): void {
    this.held += bytes
    this.supplier.add(bytes)
  }
}

/** What a query holds of all suppliers. */
export class HeldByQuery {
  private readonly replies: HeldReplies[] = []

  retain(replies: HeldReplies): void {
    replies.retain()
    this.replies.push(replies)
  }

  release(): void {
    for (const replies of this.replies.splice(0)) replies.release()
  }
}

/** About as many bytes as these rows take. */
export function weigh(rows: readonly object[]): number {
  let bytes = 0
  for (const { brand, article, name } of rows as readonly BrandRow[])
    bytes += ROW_BYTES + 2 * (brand.length + article.length + name.length)
  return bytes
}
