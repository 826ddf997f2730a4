import { Controller } from '@nestjs/common'
import { AppError, texts } from '@partsbus/contracts/app-error'
import type { ReplyOf } from '@partsbus/contracts/message'
import { runSource as contract } from '@partsbus/contracts/pricing-import/commands'
import type { CallOf } from '@partsbus/platform/bus/call'
import { Handles } from '@partsbus/platform/bus/nest-adapter'
import { PriceListStore } from '../price-lists/price-list-store.js'
import { translate } from '../texts/translate.js'
import { SourceRuns } from './source-runs.js'
import type { RunResult } from './source-run.js'

const REPLY_MS = 500

@Controller()
export class RunSource {
  constructor(
    private readonly lists: PriceListStore,
    private readonly runs: SourceRuns,
  ) {}

  /**
   * A fetch that takes longer than the call continues; `last_run` shows its outcome (admin.md#source-run).
   * @throws AppError NOT_FOUND
   */
  @Handles(contract)
  async runSource(call: CallOf<typeof contract>): Promise<ReplyOf<typeof contract>> {
    const { id, source_id } = call.body
    const list = await this.lists.find(id)
    if (!list?.sources.some((source) => source.id === source_id)) throw new AppError('NOT_FOUND', texts.notFound)
    const late: RunResult = {
      outcome: 'unchanged',
      message: 'The file is still being fetched; see last_run for the outcome.',
      task_id: null,
    }
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<RunResult>((done) => {
      timer = setTimeout(() => done(late), Math.max(0, call.timeLeft() - REPLY_MS))
    })
    try {
      const { task_id, message } = await Promise.race([this.runs.run(id, source_id, call.settings), timeout])
      return { task_id, message: translate(message, call.settings.admin_locale) }
    } finally {
      clearTimeout(timer)
    }
  }
}
