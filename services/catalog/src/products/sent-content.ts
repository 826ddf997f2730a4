import { hash } from 'node:crypto'
import type { ProductItem } from '@partsbus/contracts/catalog/product'
import type { UpdateMode } from './plan-product.js'
import type { ProductDocument } from './product-document.js'

/*
 * A product carries a stamp of what the ERP sent last: a digest, and the state that it produced. When the ERP sends the
 * same again and the product is still in that state, the rules would change nothing, so that the product need not be
 * read. The state is the number of writes by batches: every write raises the revision, and one that changes no field
 * that a batch writes counts itself in `side_writes`. A writer that knows nothing of stamps, such as an older version
 * of the service, raises the revision only, and the stamp is void.
 */

/** Raise it with a change of the rules that must be applied to content that was sent before. */
const RULES = 1
/** 132 bits of the hash */
const DIGEST_LENGTH = 22

/** The part of a product that shows whether it is sent again as it is. */
export type StampedProduct = Pick<ProductDocument, '_id' | 'id' | 'rev' | 'slug' | 'side_writes' | 'sent'>

/** The digests of the items of a batch, each computed when it is needed. */
export class SentContent {
  private readonly digests = new Map<string, string>()

  constructor(
    private readonly groups: ReadonlyMap<string, readonly ProductItem[]>,
    private readonly mode: UpdateMode,
  ) {}

  /** The stamp of a product that gets its next revision from these items. */
  nextStamp(key: string, stored: Pick<StampedProduct, 'rev' | 'side_writes'> | undefined): string {
    return `${stored ? state(stored) + 1 : 1}:${this.digest(key)}`
  }

  /** Whether the rules would change nothing, a slug apart. */
  isRepeated(product: StampedProduct): boolean {
    return isStamped(product) && product.sent === `${state(product)}:${this.digest(product._id)}`
  }

  private digest(key: string): string {
    let digest = this.digests.get(key)
    if (digest === undefined) {
      digest = hashItems(this.groups.get(key) ?? [], this.mode)
      this.digests.set(key, digest)
    }
    return digest
  }
}

/** Whether the stamp belongs to the state that the product is in. */
export function isStamped(product: Pick<StampedProduct, 'rev' | 'side_writes' | 'sent'>): boolean {
  return product.sent?.startsWith(`${state(product)}:`) ?? false
}

function state({ rev, side_writes }: Pick<StampedProduct, 'rev' | 'side_writes'>): number {
  return rev - (side_writes ?? 0)
}

/** Images are compared elsewhere. All other fields count, also those that the rules do not know yet. */
function hashItems(items: readonly ProductItem[], mode: UpdateMode): string {
  const content = items.map((item) =>
    item.images === undefined ? item : Object.assign({}, item, { images: undefined }),
  )
  return hash('sha256', `${RULES} ${mode} ${JSON.stringify(content)}`, 'base64url').slice(0, DIGEST_LENGTH)
}
