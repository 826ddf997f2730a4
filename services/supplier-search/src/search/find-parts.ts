import { Controller } from '@nestjs/common'
import { articleKey } from '@partsbus/contracts/article'
import { busHeaders, type ReplyOf } from '@partsbus/contracts/message'
import { findParts as contract } from '@partsbus/contracts/supplier-search/commands'
import { explainParts } from '@partsbus/contracts/supplier-search/overview'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { ReplyWithHeaders } from '@partsbus/platform/bus/reply-with-headers'
import { SynonymCache } from '../brand-synonyms/synonym-cache.js'
import { HeldByQuery } from '../http/reply-memory.js'
import { QuerySuppliers } from '../suppliers/query-suppliers.js'
import { Deadline } from './deadline.js'
import { explainSearch } from './explain-search.js'
import { mergeParts } from './merge-parts.js'
import { MergedAnswers } from './merged-answers.js'
import type { Offer } from './offer.js'
import { summarize } from './storage-answer.js'
import { storageSelection, StorageLookup } from './storage-lookup.js'
import { UnaskedStorages } from './unasked-storages.js'

/** `POST /get-parts` (partners.md#parts): offers of the article by the given brands, in any spelling of each. */
@Controller()
export class FindParts {
  private readonly merged = new MergedAnswers<Offer, { body: ReplyOf<typeof contract>; suppliers: string }>()

  constructor(
    private readonly storages: StorageLookup,
    private readonly suppliers: QuerySuppliers,
    private readonly synonyms: SynonymCache,
    private readonly unasked: UnaskedStorages,
  ) {}

  /** @throws AppError UNAVAILABLE or TIMEOUT when the storages cannot be found; suppliers that fail are outcomes */
  @Handles(contract)
  async findParts(call: CallOf<typeof contract>): Promise<ReplyWithHeaders<ReplyOf<typeof contract>>> {
    const { body, suppliers } = await this.search(call)
    return new ReplyWithHeaders(body, [[busHeaders.suppliers, suppliers]])
  }

  /** The same search, with what each storage did (admin.md#search-explain). @throws as {@link findParts} */
  @Handles(explainParts)
  async explainParts(call: CallOf<typeof explainParts>): Promise<ReplyOf<typeof explainParts>> {
    const { body, storages, answers } = await this.search(call)
    const asked = await this.unasked.describe(storages, call)
    return { ...body, ...explainSearch(call.body, storages, answers, call.settings.admin_locale), ...asked }
  }

  private async search(call: CallOf<typeof contract>) {
    const { article, brands, pick_up_points } = call.body
    const deadline = new Deadline(call.timeLeft())
    const key = articleKey(article)
    const selection = storageSelection(pick_up_points, call.settings)
    const held = new HeldByQuery()
    try {
      const [storages, names] = await Promise.all([
        key === '' ? [] : this.storages.find(selection, deadline),
        this.synonyms.resolve(brands, deadline.rest()),
      ])
      const query = { article, articleKey: key, brands, names, held }
      const answers = await this.suppliers.findParts(storages, query, deadline)
      const merged = await this.merged.merge(JSON.stringify([key, brands]), answers, names, async () => {
        const identities = new Set(brands.map((brand) => names.identity(brand)))
        identities.delete('')
        const { parts, total } = await mergeParts(answers, names, { article: key, brands: identities })
        const { result, message, suppliers } = summarize(answers)
        const isCut = message === 'OK' && parts.length < total
        const body = { result, message: isCut ? `Partial result: ${parts.length} of ${total} parts.` : message, parts }
        return { body, suppliers }
      })
      return { ...merged, storages, answers }
    } finally {
      held.release()
    }
  }
}
