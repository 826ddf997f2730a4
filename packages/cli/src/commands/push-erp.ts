import { stat } from 'node:fs/promises'
import { AnswerError } from '@partsbus/client/answer-error'
import type { ErpOptions } from '@partsbus/client/erp-client'
import { checkItem } from '@partsbus/contracts/erp'
import {
  type Command,
  type CommandContext,
  type CommandLine,
  integerOption,
  readChoice,
  textOption,
} from '../command.js'
import { CommandFailed, exitCodes, UsageError } from '../exit-codes.js'
import { openErp } from '../open-clients.js'
import { addBatch, type Finding, printResult, type PushResult, readAnswer, readRefusal } from './push-result.js'
import { type NumberedItem, readItems } from './read-items.js'

/** Name on the command line → call of the ERP API. */
const CALLS = {
  products: 'POST /products/batch-upsert',
  categories: 'POST /categories/batch-upsert',
  stocks: 'POST /stocks/batch-update',
  prices: 'POST /prices/batch-update',
} as const
const KINDS = ['products', 'categories', 'stocks', 'prices'] as const
const POLICIES = ['reject-batch', 'reject-failed-rows'] as const
const UPDATE_MODES = ['merge', 'replace'] as const

const DEFAULT_BATCH = 1_000

export const pushErp: Command = {
  usage:
    'FILE.ndjson [--to products|categories|stocks|prices] [--batch 1000] [--error-policy reject-batch] ' +
    '[--update-mode replace] [--full-sync ID] [--request-id ID] [--dry-run]',
  summary: 'Sends the items of a file, one JSON object per line, in batches; --dry-run only checks them.',
  options: {
    to: { type: 'string' },
    batch: { type: 'string' },
    'error-policy': { type: 'string' },
    'update-mode': { type: 'string' },
    'full-sync': { type: 'string' },
    'request-id': { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  positionals: [1, 1],
  async run(line, ctx) {
    const kind = readChoice(textOption(line, 'to') ?? 'products', '--to', KINDS)
    const options = readOptions(kind, line)
    const isDryRun = line.options['dry-run'] === true
    const push = isDryRun ? checkFile : sendFile
    const result: PushResult = { items: 0, batches: 0, counts: {}, ignored: {}, findings: [] }
    const path = line.positionals[0] ?? ''
    try {
      await push({ path, kind, size: integerOption(line, 'batch') ?? DEFAULT_BATCH, options }, ctx, result)
      ctx.terminal.endProgress()
    } catch (error) {
      // what was sent before stays sent
      if (result.batches > 0) printResult(result, { isJson: line.isJson, isDryRun }, ctx.terminal)
      throw error
    }
    const hasFailed = printResult(result, { isJson: line.isJson, isDryRun }, ctx.terminal)
    return hasFailed ? exitCodes.failed : exitCodes.ok
  },
}

type Kind = (typeof KINDS)[number]

/** The headers of the batches. @throws UsageError for one that the call would not look at */
function readOptions(kind: Kind, line: CommandLine): ErpOptions {
  const [errorPolicy, updateMode] = [textOption(line, 'error-policy'), textOption(line, 'update-mode')]
  const [fullSync, requestId] = [textOption(line, 'full-sync'), textOption(line, 'request-id')]
  if (updateMode !== undefined && kind !== 'products') throw new UsageError('--update-mode is for products only.')
  if (fullSync !== undefined && kind !== 'products' && kind !== 'categories') {
    throw new UsageError('--full-sync is for products and categories only.')
  }
  return {
    errorPolicy: readChoice(errorPolicy ?? 'reject-failed-rows', '--error-policy', POLICIES),
    ...(updateMode !== undefined && { updateMode: readChoice(updateMode, '--update-mode', UPDATE_MODES) }),
    ...(fullSync !== undefined && { fullSync }),
    ...(requestId !== undefined && { requestId }),
    resultDetails: true,
  }
}

interface Push {
  path: string
  kind: Kind
  /** items of a batch */
  size: number
  options: ErpOptions
}

/** Compares the items of a file with the contract, without a gateway. @param result is added to */
async function checkFile({ path, kind, size }: Push, { terminal }: CommandContext, result: PushResult): Promise<void> {
  const total = await sizeOf(path)
  for await (const { line, item, end } of readItems(path)) {
    const { rejected, ignored_fields } = checkItem(CALLS[kind], item)
    const findings: Finding[] = rejected ? [{ line, ...rejected, level: 'rejected' }] : []
    addBatch(result, { counts: {}, ignored: ignored_fields, findings })
    result.items += 1
    result.batches = Math.ceil(result.items / size)
    terminal.progress(end, total, `bytes, ${result.items} items`)
  }
}

/** @param result is added to with each batch */
async function sendFile({ path, kind, size, options }: Push, ctx: CommandContext, result: PushResult): Promise<void> {
  const { terminal } = ctx
  const erp = openErp(ctx)
  const total = await sizeOf(path)
  const waiting: NumberedItem[] = []
  async function* items(): AsyncGenerator<never> {
    for await (const read of readItems(path)) {
      waiting.push(read)
      // the API checks the items
      yield read.item as never
    }
  }
  const onLimit = (most: number): void =>
    terminal.note(`The gateway takes ${most} items at most, so batches are split.`)
  try {
    for await (const outcome of erp.batches(CALLS[kind], items(), { ...options, maxItems: size, onLimit })) {
      const batch = waiting.splice(0, outcome.items.length)
      addBatch(result, outcome.refused ? readRefusal(outcome.refused, batch) : readAnswer(outcome.answer, batch))
      result.items += batch.length
      terminal.progress(batch.at(-1)?.end ?? 0, total, `bytes, ${result.items} items`)
    }
  } catch (error) {
    if (!(error instanceof AnswerError) || error.status === 503 || error.status === 504) throw error
    const first = waiting[0]?.line
    throw new CommandFailed(`The batch from line ${first} on was refused: ${error.message} (HTTP ${error.status})`)
  }
}

async function sizeOf(path: string): Promise<number> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  return size
}
