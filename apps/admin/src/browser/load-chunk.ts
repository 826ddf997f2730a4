import { askToReload } from './new-version.js'
import { hasUnsaved } from './unsaved.js'

/** Between attempts to load a chunk, ms. */
const PAUSES_MS = [300, 1_000]
/** When these pages were reloaded for a chunk, ms. */
const RELOADED_AT = 'partsbus.reloaded-at'
/** A chunk that is gone for good must not reload the pages again and again. */
const RELOAD_AGAIN_AFTER_MS = 60_000

/**
 * Loads a chunk. After an upgrade the chunks of an open page may be gone: three attempts, then one reload, or a bar
 * that asks for it where somebody has typed something.
 */
export async function loadChunk<Chunk>(load: () => Promise<Chunk>): Promise<Chunk> {
  for (const pause of PAUSES_MS) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  try {
    return await load()
  } catch (cause) {
    const isReloaded = Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOAD_AGAIN_AFTER_MS
    if (hasUnsaved() || isReloaded) askToReload()
    else {
      sessionStorage.setItem(RELOADED_AT, String(Date.now()))
      location.reload()
    }
    throw new Error('A part of these pages could not be loaded.', { cause })
  }
}
