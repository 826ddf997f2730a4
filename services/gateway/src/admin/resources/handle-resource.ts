import {
  assertUnused,
  clearSettingsReferences,
  SETTINGS_CHANGE_TIMEOUT_MS,
} from '@partsbus/contracts/administration/settings-commands'
import { AppError } from '@partsbus/contracts/app-error'
import type { AdminRow } from '@partsbus/contracts/http/row'
import { contractViolation, type FieldViolation, type Violations } from '@partsbus/contracts/violation'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { type AdminContext, callOptions } from '../admin-context.js'
import { hideSecrets } from '../audit/hide-secrets.js'
import { auditResult } from './audit-result.js'
import { readBefore } from './read-before.js'
import type { Input } from './read-request.js'
import { recordChange } from '../audit/record-change.js'
import { hideRevision, splitRevision } from './revisions.js'
import { lockStorages } from './lock-storages.js'

/** A row with a command. */
export type CommandRow = AdminRow & Required<Pick<AdminRow, 'command'>>

/**
 * Handles a call by its command. A change is recorded in the audit log.
 * @throws AppError CONFLICT, or an error of the service or the bus
 */
export async function handleResource(
  ctx: AdminContext,
  { path, row }: { path: string; row: CommandRow },
  sent: Input,
  settings: SettingsSnapshot,
): Promise<{ body: unknown; revision?: number | undefined }> {
  const { params, query, body, ifMatch } = sent
  const isPatch = path.startsWith('PATCH ')
  const input: Record<string, unknown> = { ...params, ...query, ...(isPatch ? { patch: body } : body) }
  const request = {
    ...(row.toRequest ? row.toRequest(sent, ctx.caller) : input),
    ...row.fixed,
    ...(row.namesCaller && { caller: ctx.caller }),
    ...(row.namesCreator && { created_by: ctx.caller.administrator.name }),
    ...(row.isRevised && row.status !== 201 && ifMatch && { if_revisions: ifMatch }),
  }
  const call = (): Promise<unknown> =>
    ctx.calls.request(row.command, request, callOptions(settings.call, row.timeoutMs)).catch((error: unknown) => {
      throw hideRevision(unwrapPatchPaths(error))
    })
  const { audit: action, settingsReference } = row
  const reference = settingsReference && { kind: settingsReference, id: input.id as number }
  const answer = (reply: unknown) => response(row, reply, sent, settings)
  if (action === undefined) return answer(await (namesStorage(row, body) ? lockStorages(ctx, call) : call()))
  const before = await readBefore(ctx, path, { params, fields: Object.keys(body) }, settings)
  const change = async (): Promise<unknown> => {
    if (reference) await ctx.calls.request(assertUnused, reference, callOptions(settings.call))
    return recordChange(ctx, {
      action,
      details: { ...(isPatch ? { ...params, ...hideSecrets(body) } : hideSecrets(input)), ...(before && { before }) },
      make: call,
      resultDetails: (reply) => auditResult(row, reply),
    })
  }
  // settings and lists cannot name what is being deleted
  const isLocked = reference || namesStorage(row, body)
  const result = await (isLocked ? lockStorages(ctx, change) : change())
  if (reference) {
    const options = callOptions(settings.call, SETTINGS_CHANGE_TIMEOUT_MS)
    await ctx.calls.request(clearSettingsReferences, { ...reference, caller: ctx.caller }, options)
  }
  return answer(result)
}

function namesStorage({ namesStorage: where }: CommandRow, { storage_id }: Input['body']): boolean {
  return where === 'path' || (where === 'storage_id' && storage_id !== undefined)
}

function response(
  { isRevised, answerField, toAnswer }: AdminRow,
  reply: unknown,
  sent: Input,
  { values }: SettingsSnapshot,
) {
  if (toAnswer) return { body: toAnswer(reply as object, sent, values) }
  if (answerField !== undefined) return { body: (reply as Record<string, unknown>)[answerField] }
  return isRevised ? splitRevision(reply) : { body: reply }
}

/** On the bus a patch is the field `patch`; in the request it is the whole body, so paths lose that prefix. */
function unwrapPatchPaths(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'CONTRACT_VIOLATION') return error
  const { errors = {}, violations } = (error.details ?? {}) as { errors?: Violations; violations?: FieldViolation[] }
  const unwrap = (path: string): string => path.replace(/^patch\./, '')
  return contractViolation(
    Object.fromEntries(Object.entries(errors).map(([path, list]) => [unwrap(path), list])),
    violations?.map((violation) => ({ ...violation, path: unwrap(violation.path) })),
  )
}
