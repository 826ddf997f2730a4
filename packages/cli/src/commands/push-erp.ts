import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AnswerError } from '@partsbus/client/answer-error'
import { erpCommands } from '@partsbus/contracts/gateway/erp-commands'
import type { DetailLevel, ResultDetail } from '@partsbus/contracts/result-details'
import { describeIssues } from '@partsbus/contracts/violation'
import {
  type Command,
  type CommandContext,
  type CommandLine,
  integerOption,
  readChoice,
  textOption,
} from '../command.js'
import { CommandFailed, type ExitCode, exitCodes } from '../exit-codes.js'
import { openErp } from '../open-clients.js'
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

const DEFAULT_BATCH = 1_000
/** A batch that was answered 429, 503 or 504, or not at all, is repeated; it may be applied twice without harm. */
const MAX_ATTEMPTS = 8
const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000

/** What became of an item that was not simply stored. */
interface Finding {
  line: number | null
  id: string
  /** `rejected`, `failed`, `retrying` or `note` (erp.md#details-levels) */
  level: DetailLevel
  message: string
}

interface PushResult {
  items: number
  batches: number
  /** sums of the numbers that batches were answered with, like `created` */
  counts: Record<string, number>
  findings: Finding[]
}

export const pushErp: Command = {
  usage: 'FILE.ndjson [--to products|categories|stocks|prices] [--batch 1000] [--error-policy …] [--dry-run]',
  summary: 'Sends the items of a file, one JSON object per line, in batches; --dry-run only checks them.',
  options: {
    to: { type: 'string' },
    batch: { type: 'string' },
    'error-policy': { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  positionals: [1, 1],
  async run(line, ctx) {
    const kind = readChoice(textOption(line, 'to') ?? 'products', '--to', KINDS)
    const handle = line.options['dry-run'] === true ? checkBatch(kind) : openBatchSender(kind, line, ctx)
    const result = await pushFile(line, ctx, handle)
    return report(result, line, ctx)
  },
}

type HandleBatch = (batch: NumberedItem[]) => Promise<Pick<PushResult, 'counts' | 'findings'>>

async function pushFile(line: CommandLine, { terminal }: CommandContext, handle: HandleBatch): Promise<PushResult> {
  const [path = ''] = line.positionals
  const size = integerOption(line, 'batch') ?? DEFAULT_BATCH
  const { size: total } = await stat(path).catch(() => ({ size: 0 }))
  const result: PushResult = { items: 0, batches: 0, counts: {}, findings: [] }
  let bytes = 0
  for await (const batch of readBatches(path, size)) {
    const { counts, findings } = await handle(batch)
    result.items += batch.length
    result.batches += 1
    result.findings.push(...findings)
    for (const [name, count] of Object.entries(counts)) result.counts[name] = (result.counts[name] ?? 0) + count
    // items are measured as they are sent, which is close to their size in the file
    bytes += Buffer.byteLength(JSON.stringify(batch.map(({ item }) => item)))
    terminal.progress(Math.min(bytes, total), total, `bytes, ${result.items} items`)
  }
  terminal.endProgress()
  return result
}

/** Compares items with the contract, without a gateway. */
function checkBatch(kind: keyof typeof CALLS): HandleBatch {
  const { item: schema, idField } = erpCommands[CALLS[kind]]
  return async (batch) => ({
    counts: {},
    findings: batch.flatMap(({ line, item }) => {
      const { error } = schema.safeParse(item)
      if (!error) return []
      const message = Object.values(describeIssues(error.issues, item, ''))
        .flat()
        .join(' ')
      return [{ line, id: readId(item, idField), level: 'rejected', message: message || 'The item must be an object.' }]
    }),
  })
}

function openBatchSender(kind: keyof typeof CALLS, line: CommandLine, { env, terminal }: CommandContext): HandleBatch {
  const erp = openErp(env)
  const errorPolicy = readChoice(textOption(line, 'error-policy') ?? 'reject-failed-rows', '--error-policy', POLICIES)
  const send = async (batch: NumberedItem[]): Promise<Answer> => {
    // the contract of the call checks the items
    const body = batch.map(({ item }) => item) as never
    return erp(CALLS[kind], { body, errorPolicy, resultDetails: true })
  }
  return async (batch) => {
    try {
      return readAnswer(await retry(() => send(batch), terminal.note), batch)
    } catch (error) {
      const first = batch[0]?.line ?? 0
      if (!(error instanceof AnswerError) || isTemporary(error)) throw error
      if (error.status === 422) return { counts: {}, findings: refusedItems(error, batch) }
      throw new CommandFailed(`The batch from line ${first} on was refused: ${error.message} (HTTP ${error.status})`)
    }
  }
}

type Answer = Awaited<ReturnType<ReturnType<typeof openErp>>>

function readAnswer(answer: Answer, batch: NumberedItem[]): Awaited<ReturnType<HandleBatch>> {
  const counts = Object.entries(answer).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  const details = (answer as { details?: { items: ResultDetail[] } }).details?.items ?? []
  const findings = details.map(({ index, key, level, message, reason }) => ({
    line: batch[index]?.line ?? null,
    id: key,
    level,
    message: reason === null ? message : `${message} (${reason})`,
  }))
  return { counts: Object.fromEntries(counts), findings }
}

/** `3.name` is a field of the fourth item. A batch that is refused changes nothing. */
function refusedItems({ errors, message }: AnswerError, batch: NumberedItem[]): Finding[] {
  const findings = Object.entries(errors).map(([path, texts]): Finding => {
    const index = /(?:^|\.)(\d+)(?:\.|$)/.exec(path)?.[1]
    return { line: batch[Number(index)]?.line ?? null, id: path, level: 'rejected', message: texts.join(' ') }
  })
  return findings.length > 0 ? findings : [{ line: batch[0]?.line ?? null, id: '', level: 'rejected', message }]
}

async function retry<T>(send: () => Promise<T>, note: (text: string) => void): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send()
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isTemporary(error)) throw error
      const asked = error instanceof AnswerError ? error.retryAfter : null
      const pauseMs = Math.min(MAX_PAUSE_MS, asked === null ? FIRST_PAUSE_MS * 2 ** (attempt - 1) : asked * 1_000)
      note(`${(error as Error).message} Repeating in ${pauseMs / 1_000} s.`)
      await sleep(pauseMs)
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof AnswerError) return [429, 503, 504].includes(error.status)
  return error instanceof TypeError && error.message === 'fetch failed'
}

function readId(item: unknown, field: string): string {
  const id = typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : undefined
  return typeof id === 'string' ? id : ''
}

function report(result: PushResult, line: CommandLine, { terminal }: CommandContext): ExitCode {
  const isDryRun = line.options['dry-run'] === true
  const { items, batches, counts, findings } = result
  const failed = findings.filter(({ level }) => level === 'rejected' || level === 'failed').length
  if (line.isJson) terminal.print(JSON.stringify({ ...result, dry_run: isDryRun }))
  else {
    for (const { line: at, id, level, message } of findings)
      terminal.print(`line ${at ?? '?'} ${id} ${level}: ${message}`)
    const sums = Object.entries(counts).map(([name, count]) => `${count} ${name}`)
    const sent = isDryRun ? ['nothing sent', `${failed} invalid`] : [...sums, `${failed} failed`]
    terminal.print(`${items} items in ${batches} batches: ${sent.join(', ')}`)
  }
  return failed > 0 ? exitCodes.failed : exitCodes.ok
}
