import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from '@partsbus/contracts/errors'
import { isDatabaseAway } from '@partsbus/platform/failure'
import type { PricingImportContext } from '../context.js'
import { findList } from '../price-lists/find-list.js'
import type { PriceListRecord, SourceState, StoredSource } from '../price-lists/price-list-record.js'
import { checkFile, checkSize, UNPACKED_RATIO } from '../uploads/check-file.js'
import { createTask, keepFile } from '../uploads/create-task.js'
import type { Fetched, FetchPlan } from './fetched-file.js'
import { fetchEmail } from './fetch-email.js'
import { fetchFtp } from './fetch-ftp.js'
import { fetchUrl } from './fetch-url.js'
import { SourceFailure } from './source-failure.js'

/** What a run of a source gave, as `last_run` shows it. */
export interface RunResult {
  outcome: 'imported' | 'unchanged' | 'failed'
  message: string
  task_id: number | null
}

/** Longest time of one fetch. */
const FETCH_MS = 10 * 60_000

/**
 * Fetches a source and makes an import task of a file that changed. What went wrong is a result, kept as the source's `last_run`.
 * The caller makes sure that a source runs once at a time.
 */
export async function importSource(ctx: PricingImportContext, listId: number, sourceId: number): Promise<RunResult> {
  const list = await findList(ctx, listId)
  const source = list.sources.find(({ id }) => id === sourceId)
  if (!source) return { outcome: 'failed', message: 'The source is no longer there.', task_id: null }
  const { result, state } = await fetchAndImport(ctx, list, source)
  const last_run = { at: new Date().toISOString(), ...result }
  await ctx.lists.noteRun(listId, sourceId, { ...source.state, ...state, last_run })
  ctx.parts.log.info({ list: listId, source: sourceId, outcome: result.outcome, reason: result.message }, 'source fetched')
  return result
}

async function fetchAndImport(ctx: PricingImportContext, list: PriceListRecord, source: StoredSource): Promise<{ result: RunResult; state: Partial<SourceState> }> {
  const folder = await mkdtemp(join(tmpdir(), 'partsbus-source-'))
  const deadline = AbortSignal.timeout(FETCH_MS)
  try {
    if (!list.is_active) throw new SourceFailure('The price list is not active.')
    const path = join(folder, 'file')
    const { max_file_size: maxBytes, retention_days } = list.carried
    const fetched = await fetchOf(ctx, source, { path, maxBytes, signal: deadline, allowedHosts: ctx.config.SOURCE_ALLOWED_HOSTS, certificates: ctx.config.SOURCE_CERTIFICATES })
    if (fetched.outcome === 'unchanged') return { result: unchanged, state: {} }
    const { file_name: name, outcome: _, ...marks } = fetched
    const sha256 = await sha256Of(path)
    if (sha256 === source.state.sha256) return { result: unchanged, state: marks }
    const file = { path, name, maxUnpacked: maxBytes * UNPACKED_RATIO }
    checkSize((await stat(path)).size, maxBytes)
    await checkFile(file)
    const task_id = await createTask(ctx, list, await keepFile(ctx, file), { source_type: source.kind, retention_days, max_unpacked: file.maxUnpacked })
    return { result: { outcome: 'imported', message: `The file ${name} is being imported.`, task_id }, state: { ...marks, sha256 } }
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    return { result: { outcome: 'failed', message: deadline.aborted ? 'The file did not arrive in time.' : wordFailure(error), task_id: null }, state: {} }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const unchanged: RunResult = { outcome: 'unchanged', message: 'The file has not changed since it was imported.', task_id: null }

function fetchOf(ctx: PricingImportContext, source: StoredSource, plan: FetchPlan): Promise<Fetched> {
  const password = source.sealed_password === null ? undefined : ctx.secrets.open(source.sealed_password)
  if (source.kind === 'url') return fetchUrl(source, password, source.state, plan)
  if (source.kind === 'ftp') return fetchFtp(source, password, source.state, plan)
  return fetchEmail(source, password, source.state, plan)
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

function wordFailure(error: unknown): string {
  if (error instanceof SourceFailure) return error.message
  if (error instanceof AppError) return error.code === 'INVALID_FILE' ? `The file is not valid: ${reasonOf(error)}` : error.message
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return `The host cannot be reached (${code ?? 'the connection failed'}).`
}

function reasonOf({ details }: AppError): string {
  return typeof details === 'object' && details !== null && 'reason' in details ? String(details.reason) : ''
}
