import type { CatalogContext } from '../context.js'
import type { Written } from '../items/write-items.js'
import { eventMessages, type NoteKind } from './event-messages.js'
import { publishMessages } from './publish-messages.js'

/** One item in a note: ERP id, whether it is created, and the fields about to change. Kept short: a batch has thousands. */
export type NotedItem = [erpId: string, created: 0 | 1, changed: string[]]

/*
 * What a batch owes to the event stream. noted (before the batch's first write) → published → deleted.
 * A batch that writes nothing owes nothing and is never noted.
 */
export class BatchNote {
  readonly batch: string
  private readonly ctx: CatalogContext
  private readonly kind: NoteKind
  private readonly at = new Date()
  private noted = false

  constructor(ctx: CatalogContext, kind: NoteKind, batch: string) {
    this.ctx = ctx
    this.kind = kind
    this.batch = batch
  }

  async write(planned: Map<string, Pick<Written, 'created' | 'changed'>>): Promise<void> {
    const items: NotedItem[] = []
    for (const [erpId, { created, changed }] of planned) items.push([erpId, created ? 1 : 0, changed])
    await this.ctx.outbox.add(this.batch, this.kind, items)
    this.noted = true
  }

  /** Publishes in the background; what cannot be published now is done by the sweeper. */
  publishLater(written: Map<string, Written>): void {
    if (!this.noted) return
    const items = [...written].map(([erpId, one]) => ({ erp_id: erpId, ...one }))
    this.ctx.background.run('publish events', async () => {
      await publishMessages(this.ctx, eventMessages(this.kind, this.batch, this.at, items))
      this.ctx.outbox.markPublished(this.batch)
    })
  }
}
