import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { CallSettings } from '@partsbus/contracts/settings'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import type { PricingImportContext } from '../context.js'
import { makeFolder, requireDiskSpace } from '../files/work-folder.js'
import { findList } from '../price-lists/find-list.js'
import type { PriceListRecord, SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { assertQueueHasRoom } from '../tasks/assert-queue-has-room.js'
import { checkFile, checkSize, UNPACKED_RATIO } from '../uploads/check-file.js'
import { createTask, keepFile } from '../uploads/create-task.js'
import { fetchSource } from './fetch-source.js'
import { isDue } from './due-source.js'
import { isSameFile } from './source-identity.js'
import { SourceFailure } from './source-failure.js'

/** What a run of a source gave, as `last_run` shows it. */
export interface RunResult {
  outcome: 'imported' | 'unchanged' | 'failed'
  message: string
  task_id: number | null
}

/** Longest time of one fetch. */
const FETCH_MS = 10 * 60_000

/** One run of a source. */
export interface SourceRun {
  listId: number
  sourceId: number
  settings: CallSettings
  /** runs only where it is still due: another replica may have run it since it was found so */
  isScheduled: boolean
  /** ends the run, as if it had not begun */
  stop: AbortSignal
}

/**
 * Fetches a source and creates an import task when the file changed. Every failure of the fetch is a result, recorded as
 * `last_run`. The caller makes sure that a source runs once at a time.
 * begun (`run_began_at`) → recorded (`last_run`), or interrupted (the service stops: `run_began_at` is cleared).
 * @throws AppError UNAVAILABLE when it was interrupted, or while the database is down
 */
export async function importSource(ctx: PricingImportContext, run: SourceRun): Promise<RunResult> {
  const { listId, sourceId } = run
  const list = await findList(ctx, listId)
  const source = list.sources.find(({ id }) => id === sourceId)
  if (!source) return { outcome: 'failed', message: 'The source is no longer there.', task_id: null }
  const crashed = source.state.run_began_at
  if (crashed) {
    await recordRun(ctx, { list, source, began: crashed, result: interrupted, state: {} })
    if (run.isScheduled) return interrupted
  }
  const began = await ctx.clock()
  if (run.isScheduled && !isDue(source, began)) return notDue
  const began_at = new Date(began).toISOString()
  await updateState(ctx, source, list, (state) => ({ ...state, run_began_at: began_at }))
  try {
    const { result, state } = await fetchAndImport(ctx, list, source, run)
    if (run.stop.aborted) throw new AppError('UNAVAILABLE', texts.unavailable)
    await recordRun(ctx, { list, source, began: began_at, result, state })
    return result
  } catch (error) {
    // the source stays due; where the database is down, the next run finds this one without an outcome
    await updateState(ctx, source, list, (before) => ({ ...before, run_began_at: null })).catch(() => undefined)
    throw error
  }
}

interface FinishedRun {
  list: PriceListRecord
  source: StoredSource
  began: string
  result: RunResult
  state: Partial<SourceState>
}

async function recordRun(
  ctx: PricingImportContext,
  { list, source, began, result, state }: FinishedRun,
): Promise<void> {
  await updateState(ctx, source, list, (before, isSameFile) => ({
    ...before,
    ...(isSameFile && state),
    run_began_at: null,
    last_run: { at: began, ...result },
  }))
  ctx.metrics.sourceRuns.inc({ kind: source.kind, outcome: result.outcome })
  ctx.parts.log.info(
    { list: list.id, source: source.id, outcome: result.outcome, reason: result.message, task: result.task_id },
    'source fetched',
  )
}

/**
 * Updates the state of a source, unless it was deleted meanwhile.
 * @param update its second argument is false when the source was pointed at another file meanwhile
 */
async function updateState(
  ctx: PricingImportContext,
  ran: StoredSource,
  seen: PriceListRecord,
  update: (state: SourceState, isSameFile: boolean) => SourceState,
): Promise<void> {
  for (let list = await ctx.lists.find(seen.id); list; list = await ctx.lists.find(seen.id)) {
    const source = list.sources.find(({ id }) => id === ran.id)
    if (!source) return
    if (await ctx.lists.noteRun(list, ran.id, update(source.state, isSameFile(source, ran)))) return
  }
}

async function fetchAndImport(
  ctx: PricingImportContext,
  list: PriceListRecord,
  source: StoredSource,
  { settings, stop }: SourceRun,
): Promise<{ result: RunResult; state: Partial<SourceState> }> {
  const folder = await makeFolder()
  const deadline = AbortSignal.timeout(FETCH_MS)
  try {
    if (!list.is_active) throw new SourceFailure('The price list is not active.')
    await assertQueueHasRoom(ctx, list.id)
    const path = join(folder, 'file')
    const maxBytes = settings['price-lists.import.max_file_size']
    await requireDiskSpace(folder, maxBytes)
    const rules_digest = rulesDigest(list)
    const known = (await isImported(ctx, source.state, rules_digest)) ? source.state : forgetFile(source.state)
    const fetched = await fetchSource(
      {
        source,
        password: openPassword(ctx, source),
        state: known,
        plan: {
          path,
          maxBytes,
          allowedHosts: ctx.config.SOURCE_ALLOWED_HOSTS,
          certificates: ctx.config.SOURCE_CERTIFICATES,
        },
      },
      AbortSignal.any([deadline, stop]),
    )
    if (fetched.outcome === 'unchanged') return { result: unchanged, state: fetched.marks ?? {} }
    const { file_name: name, marks } = fetched
    const sha256 = await sha256Of(path)
    if (sha256 === known.sha256) return { result: unchanged, state: marks }
    const file = { path, name, maxUnpacked: maxBytes * UNPACKED_RATIO }
    checkSize((await stat(path)).size, maxBytes)
    await ctx.checks.run(stop, () => checkFile(file, ctx.readerMemoryMb))
    const task_id = await createTask(ctx, list, await keepFile(ctx, file), {
      source_type: source.kind,
      max_unpacked: file.maxUnpacked,
    })
    return {
      result: { outcome: 'imported', message: `The file ${name} is being imported.`, task_id },
      state: { ...marks, sha256, task_id, rules_digest },
    }
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    if (!(error instanceof SourceFailure || error instanceof AppError))
      ctx.parts.log.error({ err: error, list: list.id, source: source.id }, 'fetched file not stored')
    return { result: { outcome: 'failed', message: describeFailure(error), task_id: null }, state: {} }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A file counts as imported while its import runs, and after it completed by the rules that the list has now. */
async function isImported(ctx: PricingImportContext, state: SourceState, rulesDigestNow: string): Promise<boolean> {
  if (state.task_id === undefined || state.task_id === null) return true
  if (state.rules_digest !== rulesDigestNow) return false
  const task = await ctx.tasks.find(state.task_id)
  return task?.status !== 'failed'
}

function forgetFile(state: SourceState): SourceState {
  return { ...state, sha256: null, etag: null, last_modified: null }
}

/** Of everything in a list that changes the offers of the same file. */
function rulesDigest({ format, markup_percent, delivery_days }: PriceListRecord): string {
  return createHash('sha256')
    .update(JSON.stringify([format, markup_percent, delivery_days]))
    .digest('hex')
}

const interrupted: RunResult = {
  outcome: 'failed',
  message: 'The fetch was interrupted: the service or its database went down while it ran.',
  task_id: null,
}
const notDue: RunResult = { outcome: 'unchanged', message: 'The source was fetched a moment ago.', task_id: null }
const unchanged: RunResult = {
  outcome: 'unchanged',
  message: 'The file has not changed since it was imported.',
  task_id: null,
}

/** @throws SourceFailure when it was sealed with another key */
function openPassword(ctx: PricingImportContext, { sealed_password }: StoredSource): string | undefined {
  if (sealed_password === null) return undefined
  try {
    return ctx.secrets.open(sealed_password)
  } catch (error) {
    ctx.parts.log.error({ err: error }, 'the password of a source cannot be read with this SECRETS_KEY')
    throw new SourceFailure(
      'The stored password cannot be read with the key that the service has now. Send the password again.',
    )
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

function describeFailure(error: unknown): string {
  if (error instanceof SourceFailure) return error.message
  if (error instanceof AppError && error.code === 'INVALID_FILE') return `The file is not valid: ${reasonOf(error)}`
  return error instanceof AppError ? error.message : 'The file cannot be stored.'
}

function reasonOf({ details }: AppError): string {
  return typeof details === 'object' && details !== null && 'reason' in details ? String(details.reason) : ''
}
