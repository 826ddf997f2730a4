import type { Call } from '@partsbus/platform/bus/call'
import type { CatalogContext } from '../context.js'
import { type MediaWish, requestMedia } from '../media/request-media.js'

/** Kept back from the caller's time for the way back. */
const REPLY_MARGIN_MS = 1_000

/**
 * Asks for the pictures of a saved batch and waits for them as long as the settings and the caller allow.
 * @returns the URLs that failed so far, by ERP id
 */
export async function attachMedia(
  ctx: CatalogContext,
  call: Call<unknown>,
  wishes: MediaWish[],
): Promise<Map<string, string[]>> {
  const failed = new Map<string, string[]>()
  if (wishes.length === 0) return failed
  const waitMs = Math.max(0, Math.min(call.settings.media_wait_ms, call.timeLeft() - REPLY_MARGIN_MS))
  for (const { erp_id, url } of await requestMedia(ctx.media, wishes, {
    allowedHosts: call.settings.media_allowed_hosts,
    waitMs,
  })) {
    failed.set(erp_id, [...(failed.get(erp_id) ?? []), url])
  }
  return failed
}
