import { AppError } from '@partsbus/contracts/errors'
import type { RequestOf } from '@partsbus/contracts/message'
import { pageRequest } from '@partsbus/contracts/paging'
import { contractViolation, type Violations } from '@partsbus/contracts/violation'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { type AdminContext, callOptions } from '../admin-context.js'
import { hideSecrets } from '../audit/hide-secrets.js'
import { check, checkBody, readErpId, readId, readQuery } from './read-request.js'
import { assertNoPriceLists } from './price-list-references.js'
import { recordChange } from '../audit/record-change.js'
import type { ResourceRoute } from './resource-routes.js'
import { clearReferences } from '../settings/change-settings.js'
import { assertNotReferenced } from '../settings/settings-references.js'

/** The parts of an HTTP request that a resource route reads. */
export interface ResourceRequest {
  params: Record<string, string | undefined>
  query: Record<string, unknown>
  /** parsed JSON; undefined where the route has no body */
  body: unknown
  settings: SettingsSnapshot
}

/**
 * Handles a route by calling its command. A change is recorded in the audit log.
 * @throws AppError NOT_FOUND, CONTRACT_VIOLATION, CONFLICT, or an error of the service or the bus
 */
export async function handleResource(
  ctx: AdminContext,
  route: ResourceRoute,
  request: ResourceRequest,
): Promise<unknown> {
  const input = readRequest(route, request)
  const call = (): Promise<unknown> =>
    ctx.calls
      .request(route.command, input, callOptions(request.settings.call, route.timeoutMs))
      .catch((error: unknown) => {
        throw unwrapPatchPaths(error)
      })
  if (route.action === undefined) return responseBody(route, await call())
  if (route.settingsReference) assertNotReferenced(request.settings.values, route.settingsReference, input.id as number)
  if (route.settingsReference === 'storage') await assertNoPriceLists(ctx, input.id as number, request.settings)
  const result = await recordChange(ctx, {
    action: route.action,
    details: auditDetails(route, input),
    make: call,
    resultDetails: (result) => auditResult(route, result),
  })
  if (route.settingsReference) await clearReferences(ctx, route.settingsReference, input.id as number)
  return responseBody(route, result)
}

function readRequest(
  route: ResourceRoute,
  { params, query, body }: ResourceRequest,
): RequestOf<typeof route.command> & Record<string, unknown> {
  switch (route.shape) {
    case 'list':
      return check(route.command.request, readQuery(query, route.query ?? {})) as Record<string, unknown>
    case 'list-of':
      return { id: readId(params.id), ...check(pageRequest, readQuery(query, route.query ?? {})) }
    case 'one':
      return check(route.command.request, {
        id: readId(params.id),
        ...readQuery(query, route.query ?? {}),
      }) as Record<string, unknown>
    case 'source':
      return { id: readId(params.id), source_id: readId(params.source_id) }
    case 'act':
      return { id: readId(params.id), ...checkedBody(route, body) }
    case 'erp-id':
      return { erp_id: readErpId(params['*']) }
    case 'create':
      return checkedBody(route, body)
    case 'patch': {
      const id = readId(params.id)
      return { id, patch: checkedBody(route, withoutId(body, id)) }
    }
  }
}

/** A resource may be sent back as it was read, with its id. */
function withoutId(body: unknown, own: number): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { id, ...rest } = body as Record<string, unknown>
  return id === own ? rest : body
}

function checkedBody(route: ResourceRoute, body: unknown): Record<string, unknown> {
  return (route.body ? checkBody(route.body, body) : {}) as Record<string, unknown>
}

function auditDetails(route: ResourceRoute, input: Record<string, unknown>): Record<string, unknown> {
  return route.shape === 'patch' ? { id: input.id, ...hideSecrets(input.patch as object) } : hideSecrets(input)
}

/** Details that only the reply contains: the id of a new resource, the task that was started. */
function auditResult(route: ResourceRoute, result: unknown): Record<string, unknown> {
  const { id, task_id } = (result ?? {}) as { id?: unknown; task_id?: unknown }
  if (route.shape === 'create') return { id }
  if (route.created !== undefined) return { [route.created]: id }
  return task_id === undefined ? {} : { task_id }
}

function responseBody(route: ResourceRoute, result: unknown): unknown {
  return route.answer ? (result as Record<string, unknown>)[route.answer.field] : result
}

/** On the bus a patch is the field `patch`; in the request it is the whole body, so paths lose that prefix. */
function unwrapPatchPaths(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'CONTRACT_VIOLATION') return error
  const errors = (error.details as { errors?: Violations } | undefined)?.errors ?? {}
  return contractViolation(
    Object.fromEntries(Object.entries(errors).map(([path, list]) => [path.replace(/^patch\./, ''), list])),
  )
}
