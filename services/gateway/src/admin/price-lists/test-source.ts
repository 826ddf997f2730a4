import type { AnswerOf, BodyOf } from '@partsbus/contracts/http/admin'
import { testSource as command } from '@partsbus/contracts/pricing-import/commands'
import type { SettingsSnapshot } from '../../settings/settings-cache.js'
import { type AdminContext, callOptions } from '../admin-context.js'

type Path = 'POST /price-lists/:id/sources/test'

/** In ms; a source may be a slow server with a large file. */
const TIMEOUT_MS = 60_000

/** `POST /price-lists/:id/sources/test` (admin.md#source-test). */
export function testSource(
  ctx: Pick<AdminContext, 'calls' | 'caller'>,
  id: number,
  source: BodyOf<Path>,
  settings: SettingsSnapshot,
): Promise<AnswerOf<Path>> {
  const kept_for = ctx.caller.administrator.id ?? undefined
  return ctx.calls.request(command, { id, source, kept_for }, callOptions(settings.call, TIMEOUT_MS))
}
