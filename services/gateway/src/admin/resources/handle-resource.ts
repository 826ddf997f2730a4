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
import { assertNotReferenced } from '../settings/settings-references.js'

/** The parts of an HTTP request that a resource route reads. */
export interface ResourceRequest {
  params: Record<string, string | undefined>
  query: Record<string, unknown>
  /** parsed JSON; undefined where the route takes no body */
  body: unknown
  /** the settings it was admitted under */
  held: SettingsSnapshot
}

/**
 * Answers a route by its command; a change goes into the audit log.
 * @throws AppError NOT_FOUND, CONTRACT_VIOLATION, CONFLICT, or what the service and the bus give
 */
export async function handleResource(
  ctx: AdminContext,
  route: ResourceRoute,
  request: ResourceRequest,
): Promise<unknown> {
  const asked = readRequest(route, request)
  const make = (): Promise<unknown> =>
    ctx.calls.request(route.command, asked, callOptions(request.held.call, route.timeoutMs)).catch((error: unknown) => {
      throw withoutWrapping(error)
    })
  if (route.action === undefined) return answerOf(route, await make())
  if (route.kept) assertNotReferenced(request.held.values, route.kept, asked.id as number)
  if (route.kept === 'storage') await assertNoPriceLists(ctx, asked.id as number, request.held)
  const result = await recordChange(ctx, {
    action: route.action,
    details: detailsOf(route, asked),
    make,
    learn: (result) => learnFrom(route, result),
  })
  return answerOf(route, result)
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
      return { id: readId(params.id), ...bodyOf(route, body) }
    case 'erp-id':
      return { erp_id: readErpId(params['*']) }
    case 'create':
      return bodyOf(route, body)
    case 'patch': {
      const id = readId(params.id)
      return { id, patch: bodyOf(route, withoutId(body, id)) }
    }
  }
}

/** A resource that is sent back as it was read carries its own id. */
function withoutId(body: unknown, own: number): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { id, ...rest } = body as Record<string, unknown>
  return id === own ? rest : body
}

function bodyOf(route: ResourceRoute, body: unknown): Record<string, unknown> {
  return (route.body ? checkBody(route.body, body) : {}) as Record<string, unknown>
}

function detailsOf(route: ResourceRoute, asked: Record<string, unknown>): Record<string, unknown> {
  return route.shape === 'patch' ? { id: asked.id, ...hideSecrets(asked.patch as object) } : hideSecrets(asked)
}

function answerOf(route: ResourceRoute, result: unknown): unknown {
  return route.answer ? (result as Record<string, unknown>)[route.answer.field] : result
}

/** What only the answer tells: the id of what was made, the import that was begun. */
function learnFrom(route: ResourceRoute, result: unknown): Record<string, unknown> {
  const { id, task_id } = (result ?? {}) as { id?: unknown; task_id?: unknown }
  if (route.shape === 'create') return { id }
  if (route.made !== undefined) return { [route.made]: id }
  return task_id === undefined ? {} : { task_id }
}

/** On the bus a patch stands under `patch`; the caller sent it as the whole body, and reads paths of that. */
function withoutWrapping(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'CONTRACT_VIOLATION') return error
  const errors = (error.details as { errors?: Violations } | undefined)?.errors ?? {}
  return contractViolation(
    Object.fromEntries(Object.entries(errors).map(([path, list]) => [path.replace(/^patch\./, ''), list])),
  )
}
