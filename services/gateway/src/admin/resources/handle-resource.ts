import type { Operation } from '@partsbus/contracts/admin/operation'
import { clearSettingsReferences, SETTINGS_EXPIRE_MS } from '@partsbus/contracts/administration/settings'
import { AppError } from '@partsbus/contracts/errors'
import { contractViolation, type FieldViolation, type Violations } from '@partsbus/contracts/violation'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { type AdminContext, callOptions } from '../admin-context.js'
import { hideSecrets } from '../audit/hide-secrets.js'
import { assertUnused } from './assert-unused.js'
import { auditResult } from './audit-result.js'
import type { Input } from './read-request.js'
import { recordChange } from '../audit/record-change.js'
import type { ResourceRoute } from './resource-routes.js'
import { hideRevision, splitRevision } from './revisions.js'
import { lockStorages } from './lock-storages.js'

/** A settings change waits for gateways that do not acknowledge it (rules.md#settings-change). */
const CLEAR_TIMEOUT_MS = SETTINGS_EXPIRE_MS + 5_000

/** A call that is handled by a command: its row in the table of operations, and its command. */
export interface ResourceCall {
  operation: Operation
  route: ResourceRoute
  isPatch: boolean
}

/**
 * Handles a call by its command. A change is recorded in the audit log.
 * @throws AppError CONFLICT, or an error of the service or the bus
 */
export async function handleResource(
  ctx: AdminContext,
  { operation, route, isPatch }: ResourceCall,
  { params, query, body, ifMatch }: Input,
  settings: SettingsSnapshot,
): Promise<{ body: unknown; revision?: number | undefined }> {
  const input: Record<string, unknown> = { ...params, ...query, ...(isPatch ? { patch: body } : body) }
  const request = {
    ...input,
    ...route.fixed,
    ...(route.namesCaller && { caller: ctx.caller }),
    ...(route.namesCreator && { created_by: ctx.caller.administrator.name }),
    ...(operation.isRevised && operation.status !== 201 && ifMatch && { if_revisions: ifMatch }),
  }
  const call = (): Promise<unknown> =>
    ctx.calls
      .request(route.command, request, callOptions(settings.call, route.timeoutMs ?? operation.timeoutMs))
      .catch((error: unknown) => {
        throw hideRevision(unwrapPatchPaths(error))
      })
  const { action } = route
  if (action === undefined) return response(operation, route, await call(), input)
  const change = async (): Promise<unknown> => {
    if (route.settingsReference) await assertUnused(ctx, route.settingsReference, input.id as number, settings)
    return recordChange(ctx, {
      action,
      details: isPatch ? { ...params, ...hideSecrets(body) } : hideSecrets(input),
      make: call,
      resultDetails: (reply) => auditResult(operation, route, reply),
    })
  }
  const isLocked = route.settingsReference === 'storage' || (route.namesStorage && body.storage_id !== undefined)
  const result = await (isLocked ? lockStorages(ctx, change) : change())
  if (route.settingsReference) {
    const reference = { kind: route.settingsReference, id: input.id as number, caller: ctx.caller }
    await ctx.calls.request(clearSettingsReferences, reference, callOptions(settings.call, CLEAR_TIMEOUT_MS))
  }
  return response(operation, route, result, input)
}

function response(
  { isRevised }: Operation,
  { answerField, toAnswer }: ResourceRoute,
  reply: unknown,
  input: Readonly<Record<string, unknown>>,
) {
  if (toAnswer) return { body: toAnswer(reply as object, input) }
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
