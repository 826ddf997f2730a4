import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, texts } from '@partsbus/contracts/errors'
import type { CallSettings } from '@partsbus/contracts/settings'
import { isDatabaseDown } from '@partsbus/platform/mongo/to-app-error'
import type { PricingImportContext } from '../context.js'
import { makeFolder } from '../files/work-folder.js'
import { findList } from '../price-lists/find-list.js'
import type { PriceListRecord, SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { checkFile, checkSize, UNPACKED_RATIO } from '../uploads/check-file.js'
import { createTask, keepFile } from '../uploads/create-task.js'
import type { Fetched, FetchPlan } from './fetched-file.js'
import { fetchEmail } from './fetch-email.js'
import { fetchFtp } from './fetch-ftp.js'
import { fetchUrl } from './fetch-url.js'
import { isDue } from './due-source.js'
import { isSamePlace } from './same-place.js'
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
 * Fetches a source and makes an import task of a file that changed. What went wrong is a result, kept as the source's `last_run`.
 * The caller makes sure that a source runs once at a time.
 * @throws AppError UNAVAILABLE when it was stopped
 */
export async function importSource(ctx: PricingImportContext, run: SourceRun): Promise<RunResult> {
  const { listId, sourceId } = run
  const list = await findList(ctx, listId)
  const source = list.sources.find(({ id }) => id === sourceId)
  if (!source) return { outcome: 'failed', message: 'The source is no longer there.', task_id: null }
  const began = await ctx.clock()
  if (run.isScheduled && !isDue(source, began)) return notDue
  const { result, state } = await fetchAndImport(ctx, list, source, run)
  if (run.stop.aborted) throw new AppError('UNAVAILABLE', texts.unavailable)
  await noteRun(ctx, source, list, { ...state, last_run: { at: new Date(began).toISOString(), ...result } })
  ctx.metrics.sourceRuns.inc({ kind: source.kind, outcome: result.outcome })
  ctx.parts.log.info(
    { list: listId, source: sourceId, outcome: result.outcome, reason: result.message, task: result.task_id },
    'source fetched',
  )
  return result
}

/** Where the administrator changed the place of the file meanwhile, only that it ran is noted; a source that was taken away stays away. */
async function noteRun(
  ctx: PricingImportContext,
  ran: StoredSource,
  seen: PriceListRecord,
  state: SourceState,
): Promise<void> {
  for (let list: PriceListRecord | undefined = seen; list; list = await ctx.lists.find(seen.id)) {
    const source = list.sources.find(({ id }) => id === ran.id)
    if (!source) return
    const noted = isSamePlace(source, ran)
      ? { ...source.state, ...state }
      : { ...source.state, last_run: state.last_run }
    if (await ctx.lists.noteRun(list, ran.id, noted)) return
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
  const signal = AbortSignal.any([deadline, stop])
  try {
    if (!list.is_active) throw new SourceFailure('The price list is not active.')
    const path = join(folder, 'file')
    const maxBytes = settings['price-lists.import.max_file_size']
    const fetched = await fetchOf(ctx, source, {
      path,
      maxBytes,
      signal,
      allowedHosts: ctx.config.SOURCE_ALLOWED_HOSTS,
      certificates: ctx.config.SOURCE_CERTIFICATES,
    })
    if (fetched.outcome === 'unchanged') return { result: unchanged, state: fetched.marks ?? {} }
    const { file_name: name, marks } = fetched
    const sha256 = await sha256Of(path)
    if (sha256 === source.state.sha256) return { result: unchanged, state: marks }
    const file = { path, name, maxUnpacked: maxBytes * UNPACKED_RATIO }
    checkSize((await stat(path)).size, maxBytes)
    await checkFile(file)
    const task_id = await createTask(ctx, list, await keepFile(ctx, file), {
      source_type: source.kind,
      max_unpacked: file.maxUnpacked,
    })
    return {
      result: { outcome: 'imported', message: `The file ${name} is being imported.`, task_id },
      state: { ...marks, sha256 },
    }
  } catch (error) {
    if (isDatabaseDown(error)) throw error
    return {
      result: {
        outcome: 'failed',
        message: deadline.aborted ? 'The file did not arrive in time.' : wordFailure(error),
        task_id: null,
      },
      state: {},
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const notDue: RunResult = { outcome: 'unchanged', message: 'The source was fetched a moment ago.', task_id: null }
const unchanged: RunResult = {
  outcome: 'unchanged',
  message: 'The file has not changed since it was imported.',
  task_id: null,
}

function fetchOf(ctx: PricingImportContext, source: StoredSource, plan: FetchPlan): Promise<Fetched> {
  const password = openPassword(ctx, source)
  if (source.kind === 'url') return fetchUrl(source, password, source.state, plan)
  if (source.kind === 'ftp') return fetchFtp(source, password, source.state, plan)
  return fetchEmail(source, password, source.state, plan)
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

function wordFailure(error: unknown): string {
  if (error instanceof SourceFailure) return error.message
  if (error instanceof AppError)
    return error.code === 'INVALID_FILE' ? `The file is not valid: ${reasonOf(error)}` : error.message
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /CERT|TLS|SSL|SIGNATURE/.test(code))
    return `The host cannot be trusted, its certificate is not accepted (${code}).`
  return `The host cannot be reached (${typeof code === 'string' ? code : 'the connection failed'}).`
}

function reasonOf({ details }: AppError): string {
  return typeof details === 'object' && details !== null && 'reason' in details ? String(details.reason) : ''
}
