import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AnswerError } from '@partsbus/client/answer-error'
import type { ErpOptions } from '@partsbus/client/erp-client'
import { erpRows } from '@partsbus/contracts/http/erp'
import { DetailCollector } from '@partsbus/contracts/result-details'
import { describeIssues } from '@partsbus/contracts/violation'
import {
  type Command,
  type CommandContext,
  type CommandLine,
  integerOption,
  readChoice,
  textOption,
} from '../command.js'
import { CommandFailed, exitCodes, explainUnreachable, UsageError } from '../exit-codes.js'
import { openErp } from '../open-clients.js'
import {
  addBatch,
  type BatchResult,
  type Finding,
  printResult,
  type PushResult,
  readAnswer,
  refusedItems,
} from './push-result.js'
import { type NumberedItem, readBatches } from './read-batches.js'

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
/** A batch that was answered 429, 503 or 504, or not at all, is repeated; it may be applied twice without harm. */
const MAX_ATTEMPTS = 8
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** erp.md#auth-1: only an administrator ends this, so it is not worth repeating the batch */
const DISABLED = 'ERP integration is disabled.'

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
    const handle = isDryRun ? checkBatch(kind) : openBatchSender(kind, options, ctx)
    const result: PushResult = { items: 0, batches: 0, counts: {}, ignored: {}, findings: [] }
    try {
      await pushFile(line, ctx, handle, result)
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

type HandleBatch = (batch: NumberedItem[]) => Promise<BatchResult[]>

/** @param result is added to with each batch */
async function pushFile(
  line: CommandLine,
  { terminal }: CommandContext,
  handle: HandleBatch,
  result: PushResult,
): Promise<void> {
  const [path = ''] = line.positionals
  const size = integerOption(line, 'batch') ?? DEFAULT_BATCH
  const { size: total } = await stat(path).catch(() => ({ size: 0 }))
  let bytes = 0
  for await (const batch of readBatches(path, size)) {
    for (const sent of await handle(batch)) addBatch(result, sent)
    result.items += batch.length
    // items are measured as they are sent, which is close to their size in the file
    bytes += Buffer.byteLength(JSON.stringify(batch.map(({ item }) => item)))
    terminal.progress(Math.min(bytes, total), total, `bytes, ${result.items} items`)
  }
  terminal.endProgress()
}

/** Compares items with the contract, without a gateway. */
function checkBatch(kind: Kind): HandleBatch {
  const { item: schema, idField } = erpRows[CALLS[kind]].command
  return async (batch) => {
    const details = new DetailCollector()
    for (const { item } of batch) details.countIgnored(schema, item)
    const findings = batch.flatMap(({ line, item }): Finding[] => {
      const { error } = schema.safeParse(item)
      if (!error) return []
      const message = Object.values(describeIssues(error.issues, item, ''))
        .flat()
        .join(' ')
      return [{ line, id: readId(item, idField), level: 'rejected', message: message || 'The item must be an object.' }]
    })
    return [{ counts: {}, ignored: details.toReply().ignored_fields, findings }]
  }
}

function openBatchSender(kind: Kind, options: ErpOptions, { env, terminal }: CommandContext): HandleBatch {
  const erp = openErp(env)
  let sentBatches = 0
  /** the setting `erp_max_batch_items`, once the gateway has named it */
  let mostItems = Infinity
  const send = async (batch: NumberedItem[]): Promise<BatchResult> => {
    sentBatches += 1
    const { requestId, ...rest } = options
    // each batch has an id of its own in the list of batches
    const headers = requestId === undefined ? rest : { ...rest, requestId: `${requestId}-${sentBatches}` }
    // the contract of the call checks the items
    const body = batch.map(({ item }) => item) as never
    return readAnswer(await retry(() => erp(CALLS[kind], { body, ...headers }), terminal.note), batch)
  }
  const handle: HandleBatch = async (batch) => {
    if (batch.length > mostItems) {
      const parts = splitBatch(batch, mostItems)
      const results: BatchResult[] = []
      for (const part of parts) results.push(...(await handle(part)))
      return results
    }
    try {
      return [await send(batch)]
    } catch (error) {
      const first = batch[0]?.line ?? 0
      if (!(error instanceof AnswerError) || error.status === 503 || error.status === 504) throw error
      const limit = readItemLimit(error, kind)
      if (limit !== undefined && limit < batch.length) {
        terminal.note(`The gateway takes ${limit} items at most, so batches are split.`)
        mostItems = limit
        return handle(batch)
      }
      if (error.status === 422) return [{ counts: {}, ignored: {}, findings: refusedItems(error, batch) }]
      throw new CommandFailed(`The batch from line ${first} on was refused: ${error.message} (HTTP ${error.status})`)
    }
  }
  return handle
}

function splitBatch(batch: NumberedItem[], size: number): NumberedItem[][] {
  return Array.from({ length: Math.ceil(batch.length / size) }, (_, at) => batch.slice(at * size, (at + 1) * size))
}

/** The limit that a batch was refused for. */
function readItemLimit({ status, errors }: AnswerError, kind: Kind): number | undefined {
  const limit = / than (\d+) items \(setting erp_max_batch_items\)/.exec(errors[kind]?.[0] ?? '')?.[1]
  return status === 422 && limit !== undefined ? Number(limit) : undefined
}

async function retry<T>(send: () => Promise<T>, note: (text: string) => void): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTemporary(error)) throw error
      const asked = error instanceof AnswerError ? error.retryAfter : null
      const pauseMs = Math.min(MAX_PAUSE_MS, asked === null ? FIRST_PAUSE_MS * 2 ** (attempt - 1) : asked * 1_000)
      note(`${explainUnreachable(error) ?? (error as Error).message} Repeating in ${pauseMs / 1_000} s.`)
      await sleep(pauseMs)
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof AnswerError) return [429, 503, 504].includes(error.status) && error.message !== DISABLED
  return explainUnreachable(error) !== undefined
}

function readId(item: unknown, field: string): string {
  const id = typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : undefined
  return typeof id === 'string' ? id : ''
}
