import type { AnswerOf, QueryOf } from '@partsbus/contracts/http/admin'
import type { RequestOf } from '@partsbus/contracts/message'
import { listImportTasks } from '@partsbus/contracts/pricing-import/commands'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { type AdminContext, callOptions } from '../admin-context.js'

/** `GET /import-tasks` (admin.md#import-tasks). */
export async function listTasks(
  ctx: Pick<AdminContext, 'calls'>,
  { status, ...query }: QueryOf<'GET /import-tasks'>,
  settings: SettingsSnapshot,
): Promise<AnswerOf<'GET /import-tasks'>> {
  const statuses = status as RequestOf<typeof listImportTasks>['statuses']
  const request = { ...query, ...(statuses && { statuses }) }
  return (await ctx.calls.request(
    listImportTasks,
    request,
    callOptions(settings.call),
  )) as AnswerOf<'GET /import-tasks'>
}
