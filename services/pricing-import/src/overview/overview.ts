import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Controller } from '@nestjs/common'
import type { ReplyOf } from '@partsbus/contracts/message'
import * as contract from '@partsbus/contracts/pricing-import/overview'
import { stepMs } from '@partsbus/contracts/administration/statistics-range'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { SecretBox } from '@partsbus/platform/process/secret-box'
import { openPassword } from '../price-lists/source-password.js'
import { DescribeTasks } from '../import-tasks/describe-tasks.js'
import { PriceListStore } from '../price-lists/price-list-store.js'
import type { PriceListRecord } from '../price-lists/price-list-record.js'
import type { Locale } from '../texts/skip-texts.js'
import { translate } from '../texts/translate.js'
import { liveRows } from '../versions/enough-rows.js'
import { ImportFiguresStore } from './import-figures-store.js'

type Reply = ReplyOf<typeof contract.getPricingOverview>

const DAY_MS = 86_400_000
const NEWEST_TASKS = 6
/** Failed lists and sources that are named. */
const MAX_NAMED = 100

/** admin.md#overview, admin.md#names, admin.md#statistics */
@Controller()
export class Overview {
  constructor(
    private readonly lists: PriceListStore,
    private readonly tasks: DescribeTasks,
    private readonly figures: ImportFiguresStore,
    private readonly secrets: SecretBox,
  ) {}

  @Handles(contract.getPricingOverview)
  async getPricingOverview({ settings }: Pick<CallOf<typeof contract.getPricingOverview>, 'settings'>): Promise<Reply> {
    const now = (await this.lists.now()).getTime()
    const [open, day, newest, lists, failed, disk] = await Promise.all([
      this.figures.countOpen(),
      this.figures.sumEnded(new Date(now - DAY_MS)),
      this.tasks.describeNewest(NEWEST_TASKS, settings),
      this.lists.listAll(),
      this.figures.findFailed(new Date(now - 7 * DAY_MS)),
      readDisk(),
    ])
    const names = new Map(lists.map(({ id, name }) => [id, name]))
    return {
      imports: { ...open, day, last: newest },
      sources: {
        active: lists.flatMap(({ sources }) => sources.filter(({ is_active }) => is_active)).length,
        failing: lists.flatMap((list) => failingSources(list, settings.admin_locale)).slice(0, MAX_NAMED),
      },
      failed: failed
        .flatMap(({ price_list_id, ...task }) => {
          const price_list_name = names.get(price_list_id)
          if (price_list_name === undefined) return []
          const message = task.message && translate(task.message, settings.admin_locale)
          return [{ price_list_id, price_list_name, ...task, message }]
        })
        .slice(0, MAX_NAMED),
      live: lists.filter(isLive).map(({ id, name, storage_id }) => ({ id, name, storage_id })),
      unreadable: lists.filter((list) => !this.isReadable(list)).map(({ id, name }) => ({ id, name })),
      disk,
    }
  }

  @Handles(contract.getPriceListReferences)
  async getPriceListReferences(): Promise<ReplyOf<typeof contract.getPriceListReferences>> {
    const [lists, files] = await Promise.all([this.lists.listAll(), this.figures.findLastFileNames()])
    return {
      price_lists: lists.map(({ id, name, storage_id, is_active }) => ({
        id,
        name,
        storage_id,
        is_active,
        last_file_name: files.get(id) ?? null,
      })),
    }
  }

  @Handles(contract.getImportStatistics)
  async getImportStatistics({
    body: { from, to, step, price_list_id },
  }: Pick<CallOf<typeof contract.getImportStatistics>, 'body'>): Promise<ReplyOf<typeof contract.getImportStatistics>> {
    const period = { from: new Date(from), to: new Date(to), stepMs: stepMs[step], price_list_id }
    return { points: await this.figures.sumBySteps(period) }
  }

  private isReadable({ id: listId, sources }: PriceListRecord): boolean {
    try {
      for (const { id, sealed_password } of sources)
        if (sealed_password !== null) openPassword(this.secrets, sealed_password, listId, id)
      return true
    } catch {
      return false
    }
  }
}

function isLive(list: PriceListRecord): boolean {
  return list.is_active && liveRows(list) > 0
}

function failingSources({ id, name, sources }: PriceListRecord, locale: Locale): Reply['sources']['failing'] {
  return sources.flatMap(({ id: source_id, kind, is_active, state }) => {
    const { last_run, failing_since, failures } = state
    if (!is_active || last_run?.outcome !== 'failed') return []
    return [
      {
        price_list_id: id,
        price_list_name: name,
        source_id,
        kind,
        since: failing_since ?? last_run.at,
        message: translate(last_run.message, locale),
        failures: failures ?? 1,
      },
    ]
  })
}

/** Of the disk with the work folders; undefined figures of a file system without a size are left out. */
async function readDisk(): Promise<Reply['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(tmpdir())
    return blocks === 0 ? null : { free_bytes: bavail * bsize, size_bytes: blocks * bsize }
  } catch {
    return null
  }
}
