import { Controller } from '@nestjs/common'
import { articleKey, brandKey } from '@partsbus/contracts/article'
import { busHeaders, type ReplyOf } from '@partsbus/contracts/message'
import { findBrands as contract, showBrands as show } from '@partsbus/contracts/supplier-search/commands'
import { explainBrands } from '@partsbus/contracts/supplier-search/overview'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { ReplyWithHeaders } from '@partsbus/platform/bus/reply-with-headers'
import { SynonymCache } from '../brand-synonyms/synonym-cache.js'
import { HeldByQuery } from '../http/reply-memory.js'
import { QuerySuppliers } from '../suppliers/query-suppliers.js'
import { Deadline } from './deadline.js'
import { explainSearch } from './explain-search.js'
import { mergeBrands } from './merge-brands.js'
import { rowKeys } from './row-keys.js'
import { summarize } from './storage-answer.js'
import { storageSelection, StorageLookup } from './storage-lookup.js'
import { UnaskedStorages } from './unasked-storages.js'

/** `POST /get-brands` (partners.md#brands): the brands of an article and the storages that have it. */
@Controller()
export class FindBrands {
  constructor(
    private readonly storages: StorageLookup,
    private readonly suppliers: QuerySuppliers,
    private readonly synonyms: SynonymCache,
    private readonly unasked: UnaskedStorages,
  ) {}

  /** @throws AppError UNAVAILABLE or TIMEOUT when the storages cannot be found; suppliers that fail are outcomes */
  @Handles(contract)
  async findBrands(call: CallOf<typeof contract>): Promise<ReplyWithHeaders<ReplyOf<typeof contract>>> {
    const { body, suppliers } = await this.search(call)
    return new ReplyWithHeaders(body, [[busHeaders.suppliers, suppliers]])
  }

  /** The same search, with what each storage did (admin.md#search-explain). @throws as {@link findBrands} */
  @Handles(explainBrands)
  async explainBrands(call: CallOf<typeof explainBrands>): Promise<ReplyOf<typeof explainBrands>> {
    const { body, storages, answers } = await this.search(call)
    const asked = await this.unasked.describe(storages, call)
    return { ...body, ...explainSearch(call.body, storages, answers, call.settings.admin_locale), ...asked }
  }

  /** admin.md#preview */
  @Handles(show)
  async showBrands({ body, timeLeft }: CallOf<typeof show>): Promise<ReplyOf<typeof show>> {
    const names = await this.synonyms.resolve(body.brands, timeLeft())
    return { brands: body.brands.map((brand) => names.displayName(brandKey(brand))) }
  }

  private async search(call: CallOf<typeof contract>) {
    const { article, pick_up_points } = call.body
    const deadline = new Deadline(call.timeLeft())
    const held = new HeldByQuery()
    const query = { article, articleKey: articleKey(article), held }
    const selection = storageSelection(pick_up_points, call.settings)
    // needed only for brands that are found, and then read again if this fails
    const groups = this.synonyms.load(deadline.rest()).catch(() => undefined)
    try {
      const storages = query.articleKey === '' ? [] : await this.storages.find(selection, deadline)
      const answers = await this.suppliers.findBrands(storages, query, deadline)
      const brands = answers.flatMap(({ rows }) => rows.map((row) => rowKeys(row).brand))
      const names = await this.synonyms.resolve(brands, deadline.rest(), groups)
      const { suppliers, ...summary } = summarize(answers)
      const body = { ...summary, brands: await mergeBrands(answers, names, query.articleKey) }
      return { body, suppliers, storages, answers }
    } finally {
      held.release()
    }
  }
}
