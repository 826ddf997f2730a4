import { lazyRouteComponent } from '@tanstack/react-router'
import { askToReload } from './new-version.js'
import { hasUnsaved } from './unsaved.js'

/** Between attempts to load a chunk, ms. */
const PAUSES_MS = [300, 1_000]
const RELOADED = 'partsbus.chunk-reloaded'

/** `lazyPage(() => import('./imports/imports-page.js'), 'ImportsPage')`. */
export const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadChunk(load), name)

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
    const chunk = await load()
    sessionStorage.removeItem(RELOADED)
    return chunk
  } catch (cause) {
    const isReloaded = sessionStorage.getItem(RELOADED) === location.pathname
    if (hasUnsaved() || isReloaded) askToReload()
    else {
      sessionStorage.setItem(RELOADED, location.pathname)
      location.reload()
    }
    throw new Error('A part of these pages could not be loaded.', { cause })
  }
}
